/**
 * Stands in for a pack with a node whose result is of another kind as soon as something is connected to its second input:
 * it lets go of what takes the result then, which is of no use to it any more, and feeds it from its own source.
 */
() => {
  class Moving extends LiteGraph.LGraphNode {
    constructor(title) {
      super(title);
      this.addInput("image", "IMAGE");
      this.addInput("other", "IMAGE");
      this.addOutput("IMAGE", "IMAGE");
    }
    onConnectionsChange(side, slot, isConnected) {
      if (side !== LiteGraph.INPUT || slot !== 1 || !isConnected || !this.graph) return;
      const source = this.graph.getNodeById(this.graph.getLink(this.inputs[0].link)?.origin_id);
      for (const id of [...(this.outputs[0].links ?? [])]) {
        const { target_id, target_slot } = this.graph.getLink(id);
        source?.connect(0, this.graph.getNodeById(target_id), target_slot);
      }
    }
  }
  LiteGraph.registerNodeType("TestMoving", Object.assign(Moving, { title: "Test Moving" }));
  return () => LiteGraph.unregisterNodeType("TestMoving");
};
