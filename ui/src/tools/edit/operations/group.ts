import { distanceWords } from "../../../graph/distanceWords";
import { broughtTogether } from "../../../graph/together";
import { ToolError } from "../../tool";
import { nodeColor } from "../nodeColor";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";
import { checkName } from "./add";

export const group = defineOperation({
  name: "group",
  alsoCalled: { createGroup: {}, groupNodes: {} },
  fields: {
    nodes: vocabulary.nodes,
    title: vocabulary.title.optional(),
    as: vocabulary.as.optional(),
    color: vocabulary.color.optional(),
  },
  read: (given) => given,
  /** Where others stand between the nodes, the fewest are moved first, new ones before all others: a group moves all that lies in it. */
  *plan(draft, { nodes, as: name, title = name ?? "Group", color: written }) {
    checkName(draft, name);
    const color = nodeColor(written);
    const [at, all] = draft.nodesTogether(nodes);
    draft.addGroup(at, { title, nodes: all.map(({ id }) => id) }, name);
    yield {
      at,
      touches: all.map(({ id }) => identityOf(at, id)),
      isLast: true,
      apply(editor, live) {
        const graph = live.graph();
        const members = all.flatMap((node) => draft.holderOf(at, node) ?? []);
        const ids = [...new Set(members.map(({ id }) => live.ids.of(id)))];
        if (ids.length === 0) throw new ToolError(`No node of group "${title}" is left in its graph.`);
        const news = at.graph.nodes.flatMap(({ id }) => (draft.isNew(id) ? [live.ids.of(id)] : []));
        const pending = at.graph.groups.flatMap((group) => (group.bounds ? [] : group.nodes));
        const { positions, frame, groups, carried } = broughtTogether(graph, ids, {
          added: new Set(news),
          pending: new Set(pending.map((id) => live.ids.of(id))),
        });
        for (const [id, position] of positions) editor.moveNode(id, position);
        for (const [index, bounds] of groups) editor.placeGroup(index, bounds);
        for (const { group: inner, by } of carried)
          if (!inner.nodes.every((id) => news.includes(id)))
            live.ids.moved.push(`group ${JSON.stringify(inner.title)} ${distanceWords(by)}`);
        editor.addGroup(title, ids, color, frame);
      },
    };
  },
});
