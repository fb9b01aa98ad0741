/**
 * Stands in for a pack that hands what is connected to one node to every open input of that type, while a prompt is made
 * and no longer. `hasFunction`: only while a run is queued, with a function of the page for whoever wants to know;
 * otherwise in every prompt. `widget`: the name of widgets that are fed, too. `fails`: its function throws.
 */
({ hasFunction, widget, fails }) => {
  class Broadcast extends LiteGraph.LGraphNode {
    constructor(title) {
      super(title);
      this.isVirtualNode = true;
      this.addInput("anything", "*");
    }
  }
  LiteGraph.registerNodeType("TestBroadcast", Object.assign(Broadcast, { title: "Test Broadcast" }));

  const feed = () => {
    const { graph } = app;
    const fed = [];
    for (const node of graph.nodes.filter(({ type }) => type === "TestBroadcast")) {
      const link = graph.getLink(node.inputs[0].link);
      const source = link && graph.getNodeById(link.origin_id);
      for (const target of source ? graph.nodes : [])
        target.inputs?.forEach((input, index) => {
          if (input.link != null || (input.widget && input.name !== widget) || input.type !== source.outputs[link.origin_slot].type) return;
          if (target === source || target === node) return;
          source.connect(link.origin_slot, target, index);
          fed.push([target, index]);
        });
    }
    return () => {
      for (const [target, index] of fed) target.disconnectInput(index);
    };
  };
  const make = app.graphToPrompt;
  const queue = app.queuePrompt;
  const fedPrompt = async () => {
    const unfeed = feed();
    try {
      return await make.call(app);
    } finally {
      unfeed();
    }
  };
  let queueing = 0;
  app.graphToPrompt = () => (queueing > 0 || !hasFunction ? fedPrompt() : make.call(app));
  app.queuePrompt = async (...args) => {
    queueing++;
    try {
      return await queue.apply(app, args);
    } finally {
      queueing--;
    }
  };
  const failing = async () => {
    throw new Error("A link leads nowhere.");
  };
  if (hasFunction) app.ue_modified_prompt = fails ? failing : fedPrompt;

  return () => {
    for (const name of ["graphToPrompt", "queuePrompt", "ue_modified_prompt"]) delete app[name];
    LiteGraph.unregisterNodeType("TestBroadcast");
  };
};
