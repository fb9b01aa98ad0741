import { dropLink } from "../../../graph/links";
import { nodeName } from "../../read/references";
import { ToolError } from "../../tool";
import type { SlotReference } from "../draft";
import { linkMeant } from "../linkMeant";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";

interface DisconnectRequest {
  to: SlotReference;
}

export const disconnect = defineOperation({
  name: "disconnect",
  alsoCalled: { disconnectNodes: {}, unlink: {} },
  fields: { to: vocabulary.to },
  read: (given): DisconnectRequest => given,
  *plan(draft, { to }) {
    const sink = draft.input(to);
    const { at, node } = sink;
    const { input, linked } = linkMeant(sink);
    if (!input?.slot.linkedFrom) {
      const names = linked.map((each) => each.slot.name);
      throw new ToolError(
        input
          ? `Nothing is connected to ${input.slot.name} of ${nodeName(node)}.`
          : `Which input of ${nodeName(node)}?`,
        names.length > 0 ? `Connected inputs: ${names.join(", ")}.` : "None of its inputs is connected.",
      );
    }
    const place = { node: node.id, input: input.index };
    dropLink(at.graph, place);
    yield {
      at,
      touches: [identityOf(at, node.id)],
      apply: (editor, live) => editor.disconnect(live.input(place, input.slot.name)),
      check(live) {
        live.expectLinks(node.id);
        return [];
      },
    };
  },
});
