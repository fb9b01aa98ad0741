/**
 * Stands in for a pack that registers its types by itself: one with the definition in the form in which the server sends
 * it, whose outputs are more than that tells, one without any, for the page
 * alone, one like it that takes part in runs all the same, and one that cannot be made.
 */
() => {
  class Switch extends LiteGraph.LGraphNode {
    constructor(title) {
      super(title);
      this.comfyClass = "TestSwitch";
      for (const name of ["image", "image_02", "image_03"]) this.addInput(name, "IMAGE");
      for (const name of ["IMAGE", "MASK"]) this.addOutput(name, name);
    }
  }
  Switch.title = "Test Switch";
  Switch.nodeData = {
    name: "TestSwitch",
    category: "test",
    input: { required: { image: ["IMAGE", {}] }, optional: { image_02: ["IMAGE", {}] } },
    output: ["IMAGE", "MASK"],
    output_name: ["IMAGE", "MASK"],
    output_is_list: [false, false],
    output_node: false,
  };
  class Toggler extends LiteGraph.LGraphNode {
    constructor(title) {
      super(title);
      this.isVirtualNode = true;
      this.addWidget("toggle", "Every group", true, () => {}, {});
      this.addOutput("OPT_CONNECTION", "*");
    }
  }
  Toggler.title = "Test Group Toggler";
  class Unknown extends LiteGraph.LGraphNode {
    constructor(title) {
      super(title);
      this.addInput("image", "IMAGE");
    }
  }
  class Broken extends LiteGraph.LGraphNode {
    constructor(title) {
      super(title);
      throw new Error("TestBroken cannot be made beside this frontend.");
    }
  }
  LiteGraph.registerNodeType("TestBroken", Object.assign(Broken, { title: "Test Broken" }));
  LiteGraph.registerNodeType("TestUnknown", Object.assign(Unknown, { title: "Test Unknown" }));
  LiteGraph.registerNodeType("TestSwitch", Switch);
  LiteGraph.registerNodeType("TestToggler", Toggler);
  return () => {
    for (const type of ["TestBroken", "TestSwitch", "TestToggler", "TestUnknown"]) LiteGraph.unregisterNodeType(type);
  };
};
