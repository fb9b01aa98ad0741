/**
 * Stands in for a pack that hands what is connected to one node to every open input of that type, while a prompt is made
 * and no longer. `hasFunction`: only while a run is queued, with a function of the page for whoever wants to know;
 * otherwise in every prompt. It notes in the workflow which links it drew, and deletes those on loading. `widget`: the name of widgets that are fed, too. `fails`: its function throws.
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

  const noteOf = (graph) => (graph.extra ??= {});
  const feed = () => {
    const { graph } = app;
    const fed = [];
    const drawn = [];
    for (const node of graph.nodes.filter(({ type }) => type === "TestBroadcast")) {
      const link = graph.getLink(node.inputs[0].link);
      const source = link && graph.getNodeById(link.origin_id);
      for (const target of source ? graph.nodes : [])
        target.inputs?.forEach((input, index) => {
          if (input.link != null || (input.widget && input.name !== widget) || input.type !== source.outputs[link.origin_slot].type) return;
          if (target === source || target === node) return;
          drawn.push(source.connect(link.origin_slot, target, index).id);
          fed.push([target, index]);
        });
    }
    noteOf(graph).links_added_by_ue = drawn;
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
  // What is left of such links in a saved workflow goes where that is loaded, by the note of their numbers.
  const load = app.loadGraphData;
  app.loadGraphData = async (...args) => {
    const result = await load.apply(app, args);
    for (const id of noteOf(app.graph).links_added_by_ue ?? []) app.graph.links.delete(id);
    return result;
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
    for (const name of ["graphToPrompt", "queuePrompt", "loadGraphData", "ue_modified_prompt"]) delete app[name];
    LiteGraph.unregisterNodeType("TestBroadcast");
  };
};
