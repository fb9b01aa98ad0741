/** Nodes of the page alone, which hand a value on by a name: no wire leads from the one to the other. */

import { app } from "../../scripts/app.js";

const anything = "*";

function settersOf(graph) {
  return graph.nodes.filter(({ type }) => type === "TestHandIn");
}

function retype(node, type) {
  for (const slot of [...(node.inputs ?? []), ...(node.outputs ?? [])]) {
    slot.name = type;
    slot.type = type;
  }
}

class HandIn extends LiteGraph.LGraphNode {
  constructor(title) {
    super(title);
    this.isVirtualNode = true;
    this.serialize_widgets = true;
    this.addWidget("text", "name", "", () => {
      for (const node of this.graph?.nodes ?? []) if (node.type === "TestHandOut") node.follow();
    });
    this.addInput(anything, anything);
    this.addOutput(anything, anything);
  }

  onConnectionsChange(side, slot, isConnected, link) {
    if (side !== LiteGraph.INPUT || !this.graph) return;
    if (!isConnected) return retype(this, anything);
    const origin = link && this.graph.getNodeById(link.origin_id);
    const type = origin?.outputs?.[link.origin_slot]?.type;
    if (type) retype(this, type);
    for (const node of this.graph.nodes) if (node.type === "TestHandOut") node.follow();
  }
}

class HandOut extends LiteGraph.LGraphNode {
  constructor(title) {
    super(title);
    this.isVirtualNode = true;
    this.serialize_widgets = true;
    this.addOutput(anything, anything);
    this.addWidget("combo", "name", "", () => this.follow(), {
      values: () => settersOf(this.graph).map(({ widgets }) => widgets[0].value),
    });
  }

  giver() {
    const name = this.widgets[0].value;
    return this.graph && settersOf(this.graph).find(({ widgets }) => widgets[0].value === name);
  }

  follow() {
    const giver = this.giver();
    const type = giver?.inputs?.[0].type ?? anything;
    this.outputs[0].name = type;
    this.outputs[0].type = type;
  }

  getInputLink() {
    const giver = this.giver();
    return giver ? this.graph.getLink(giver.inputs[0].link) : undefined;
  }

  resolveVirtualOutput() {
    const giver = this.giver();
    const link = giver && this.graph.getLink(giver.inputs[0].link);
    const node = link && this.graph.getNodeById(link.origin_id);
    return node ? { node, slot: link.origin_slot } : undefined;
  }
}

/** One control for each group, which switches its nodes where it is clicked. */
class GroupSwitch extends LiteGraph.LGraphNode {
  constructor(title) {
    super(title);
    this.isVirtualNode = true;
    this.serialize_widgets = true;
  }

  onAdded() {
    for (const group of ["First", "Second"]) {
      const options = { on: "yes", off: "no" };
      const widget = { type: "custom", name: "SWITCH", value: { toggled: true }, options, draw() {} };
      this.addCustomWidget(widget);
      widget.label = `Enable ${group}`;
    }
  }
}

app.registerExtension({
  name: "test.hand-over",
  registerCustomNodes() {
    const looks = { title: "Group Switch", category: "test" };
    LiteGraph.registerNodeType("TestGroupSwitch", Object.assign(GroupSwitch, looks));
    LiteGraph.registerNodeType("TestHandIn", Object.assign(HandIn, { title: "Hand In", category: "test" }));
    LiteGraph.registerNodeType("TestHandOut", Object.assign(HandOut, { title: "Hand Out", category: "test" }));
  },
});
