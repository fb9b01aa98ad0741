/** Stands in for a pack with two nodes that belong together by a name: the one takes a value, the other gives it. */
() => {
  class Named extends LiteGraph.LGraphNode {
    constructor(title) {
      super(title);
      this.isVirtualNode = true;
      this.serialize_widgets = true;
      this.addWidget("text", "Constant", "", () => {}, {});
    }
  }
  class Put extends Named {
    constructor(title) {
      super(title);
      this.addInput("value", "*");
    }
  }
  class Take extends Named {
    constructor(title) {
      super(title);
      this.addOutput("value", "*");
    }
    getInputLink() {
      const name = this.widgets[0].value;
      const put = this.graph.nodes.find((node) => node.type === "TestPut" && node.widgets[0].value === name);
      if (!put) throw new Error(`Nothing is called ${name}.`);
      return this.graph.getLink(put.inputs[0].link);
    }
  }
  LiteGraph.registerNodeType("TestPut", Object.assign(Put, { title: "Test Put" }));
  LiteGraph.registerNodeType("TestTake", Object.assign(Take, { title: "Test Take" }));
  return () => {
    for (const type of ["TestPut", "TestTake"]) LiteGraph.unregisterNodeType(type);
  };
};
