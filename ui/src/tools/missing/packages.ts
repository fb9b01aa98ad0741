/** Which package brings a missing type and who publishes it: as the workflow, ComfyUI-Manager and the registry say. */

import { z } from "zod";
import { type Ask, type Report, registered } from "./ask";
import type { MissingPackage } from "./lines";
import type { LookUp } from "./lookUp";
import type { Manager } from "./manager";

const answers = z.object({
  ids: z.record(z.string(), registered),
  types: z.record(z.string(), registered),
});

/** As the workflow names them, and ComfyUI-Manager's own list on this machine. */
export async function namedPackages(
  manager: Manager | undefined,
  named: Report["packages"],
): Promise<MissingPackage[]> {
  const nameless = named.filter(({ id }) => id === "").flatMap(({ types }) => types);
  const managed = nameless.length > 0 ? await manager?.packagesOf(nameless) : undefined;
  return joined([
    ...named.flatMap((each) => (each.id === "" ? [] : [{ failed: {}, ...each }])),
    ...nameless.map((type) => ({
      ...{ id: managed?.get(type) ?? "", types: [type], isCore: false, isInstalled: false, failed: {} },
    })),
  ]);
}

/** The registry is asked only if the person agrees: names of types and packages leave the machine. */
export async function registeredPackages(
  ask: Ask,
  packages: readonly MissingPackage[],
  { ids, types }: Pick<LookUp, "ids" | "types">,
): Promise<readonly MissingPackage[]> {
  if (ids.length + types.length === 0) return packages;
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
