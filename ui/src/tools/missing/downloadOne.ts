/** One model file that a model asks for by its address. */

import { z } from "zod";
import type { Comfy } from "../../comfy/bridge";
import type { ToolContext, ToolResult } from "../tool";
import { declined, ToolError } from "../toolError";
import { type Ask, sizeWords } from "./ask";
import { allowsPickle, arrivals, begin, begun, offerOf, offerWords } from "./fetchModels";

/** What was said yes to, for the same call in a page that was loaded anew. */
const underWay = begun.extend({ size: z.number().nullable() });

export async function downloadOne(
  { url, folder, name = "" }: { url: string; folder: string; name?: string | undefined },
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
  const { ask } = context;
  if (!ask) throw new ToolError("There is no server to download with.");
  const going = underWay.safeParse(context.outlived).data;
  if (going) return whenHere(going, ask, comfy, context);
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
  return whenHere({ ...(await begin(ask, offered)), size: offered.size }, ask, comfy, context);
}

async function whenHere(
  going: z.output<typeof underWay>,
  ask: Ask,
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
  const { file, folder, size } = going;
  context.outlive?.(going);
  for await (const { failure } of arrivals(ask, [going], context)) if (failure) throw failure;
  context.outlive?.(undefined);
  await comfy.refreshChoices([...new Set(comfy.graph().nodes.map(({ type }) => type))]);
  return {
    ok: true,
    summary: `Downloaded ${file} (${sizeWords(size)}) into ${folder}.`,
    data: { file, folder, size },
  };
}
