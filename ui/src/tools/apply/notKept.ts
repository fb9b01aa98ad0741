import { type CompactNode, type CompactWorkflow, scopes } from "../../graph/compact/workflow";
import { sourceWord } from "../../graph/compact/write";
import type { ShapeOf } from "../../graph/nodeShape";

/** What was written and is otherwise in the graph, such as numbers outside their range: `3.steps: 20000 became 10000`. */
export function notKept(written: CompactWorkflow, now: CompactWorkflow, shapeOf: ShapeOf): string[] {
  const found = new Map(scopes(now).map(({ key, graph }) => [key, graph]));
  return scopes(written).flatMap(({ key, graph }) => {
    const nodes = new Map(found.get(key)?.nodes.map((node) => [node.id, node]));
    return graph.nodes.flatMap((node) => {
      const is = nodes.get(node.id);
      return is?.type === node.type ? differences(node, is, shapeOf) : [];
    });
  });
}

function differences(node: CompactNode, is: CompactNode, shapeOf: ShapeOf): string[] {
  const held = (name: string) => is.values.find((each) => each.name === name)?.value;
  const usual = new Map(shapeOf(node.type, held)?.widgets.map(({ name, value }) => [name, value]));
  const linked = new Set(is.links.map(({ input }) => input));
  return [
    ...node.links
      .filter(({ input }) => !is.links.some((link) => isCalled(link.input, input)))
      .map(({ input, source, unwired }) => {
        const place = [node.id, input].filter(Boolean).join(".");
        return unwired
          ? `${place}: nothing hands ${sourceWord(source)} on to it without a wire`
          : `${place}: ComfyUI refused the link from ${source.node}`;
      }),
    ...node.values.flatMap(({ name, value }) => {
      const kept = is.values.find((each) => each.name === name)?.value ?? usual.get(name);
      const [was, became] = [JSON.stringify(value), JSON.stringify(kept)];
      return kept === undefined || was === became || linked.has(name)
        ? []
        : [`${node.id}.${name}: ${was} became ${became}`];
    }),
  ];
}

/** Whether lines may call an input so: by its name, its end, or the row or choice that it is of. */
export function isCalled(name: string, written: string): boolean {
  return name === written || name.endsWith(`.${written}`) || name.startsWith(`${written}.`);
}
