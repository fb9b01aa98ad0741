/** Which package brings a missing type and who publishes it: as the workflow, ComfyUI-Manager and the registry say. */

import { z } from "zod";
import { amountOf } from "../../shared/amounts";
import type { ToolContext } from "../tool";
import { type Ask, plain, type Report, registered } from "./ask";
import type { MissingPackage } from "./lines";
import type { Manager } from "./manager";

const answers = z.object({
  ids: z.record(z.string(), registered),
  types: z.record(z.string(), registered),
});

/** The registry is asked only if the person agrees: names of types and packages leave the machine. */
export async function identifyPackages(
  ask: Ask,
  manager: Manager | undefined,
  named: Report["packages"],
  context: ToolContext,
): Promise<MissingPackage[]> {
  const nameless = named.filter(({ id }) => id === "").flatMap(({ types }) => types);
  const managed = nameless.length > 0 ? await manager?.packagesOf(nameless) : undefined;
  const packages = joined([
    ...named.flatMap((each) => (each.id === "" ? [] : [{ failed: {}, ...each }])),
    ...nameless.map((type) => ({
      ...{ id: managed?.get(type) ?? "", types: [type], isCore: false, isInstalled: false, failed: {} },
    })),
  ]);
  const open = packages.filter(({ isCore, isInstalled, id }) => !isCore && !isInstalled && !id.includes("/"));
  if (open.length === 0) return packages;
  const ids = open.flatMap(({ id }) => (id === "" ? [] : [id]));
  const types = open.flatMap((each) => (each.id === "" ? each.types : []));
  const isAllowed = await context.confirm({
    title: `Ask the public registry about ${amountOf(open.length, "node package")} that this workflow needs?`,
    detail: `Only these names are sent: ${[...ids, ...types].map(plain).join(", ")}.`,
    always: true,
    allow: "Ask it",
  });
  if (!isAllowed) return packages;
  const reply = await ask("POST", "/assistant/missing/packages", { ids, types });
  const known = reply.ok ? answers.safeParse(reply.value).data : undefined;
  return joined(
    packages.flatMap((each) =>
      each.id !== "" || each.isCore
        ? [{ ...each, registered: known?.ids[each.id] }]
        : each.types.map((type) => {
            const found = known?.types[type];
            return { ...each, types: [type], id: found?.id ?? "", registered: found };
          }),
    ),
  );
}

/** Each package once, with all types that it brings. */
function joined(packages: readonly Omit<MissingPackage, "registered">[]): MissingPackage[] {
  const all: MissingPackage[] = [];
  for (const each of packages) {
    const same = all.find(({ id, isCore }) => id === each.id && isCore === each.isCore);
    if (same) all[all.indexOf(same)] = { ...same, types: [...same.types, ...each.types] };
    else all.push({ registered: undefined, ...each });
  }
  return all;
}
