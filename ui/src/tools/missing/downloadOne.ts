/** One model file that a model asks for by its address. */

import type { Comfy } from "../../comfy/bridge";
import type { ToolContext, ToolResult } from "../tool";
import { declined, ToolError } from "../toolError";
import { sizeWords } from "./ask";
import { allowsPickle, arrivals, begin, offerOf, offerWords } from "./fetchModels";

export async function downloadOne(
  { url, folder, name = "" }: { url: string; folder: string; name?: string | undefined },
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
  const { ask } = context;
  if (!ask) throw new ToolError("There is no server to download with.");
  const offered = await offerOf(ask, { url, folder, file: name, sha256: "" }, context);
  if ("refused" in offered) throw new ToolError(`Nothing was downloaded. ${offered.refused}`);
  const isAllowed = await context.confirm({
    title: `Download ${offered.file}?`,
    detail: offerWords(offered, null),
    always: true,
    allow: "Download",
  });
  if (!isAllowed || (offered.isPickle && !(await allowsPickle(context, offered))))
    return declined(`downloading ${offered.file}.`);
  for await (const { failure } of arrivals(ask, [await begin(ask, offered)], context))
    if (failure) throw failure;
  await comfy.refreshChoices([...new Set(comfy.graph().nodes.map(({ type }) => type))]);
  return {
    ok: true,
    summary: `Downloaded ${offered.file} (${sizeWords(offered.size)}) into ${offered.folder}.`,
    data: { file: offered.file, folder: offered.folder, size: offered.size },
  };
}
