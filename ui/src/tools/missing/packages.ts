/** Which package brings a missing type and who publishes it: as the workflow, ComfyUI-Manager and the registry say. */

import { z } from "zod";
import { type Ask, type Report, registered } from "./ask";
import type { MissingPackage } from "./lines";
import type { LookUp } from "./lookUp";
import type { Manager } from "./manager";

const answers = z.object({
  ids: z.record(z.string(), registered),
  types: z.record(z.string(), z.array(registered)),
  unanswered: z.array(z.string()).optional(),
  why: z.string().optional(),
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
  const failure = reply.ok ? "it answers in another form than expected" : reply.message;
  const notAsked = (name: string) => {
    if (!known) return failure;
    return known.unanswered?.includes(name) ? known.why : undefined;
  };
  return joined(
    packages.flatMap((each) => {
      if (each.isCore) return [each];
      if (each.id !== "") {
        const found = known?.ids[each.id];
        return [
          {
            ...each,
            registered: found ? [found] : [],
            notAsked: ids.includes(each.id) ? notAsked(each.id) : undefined,
          },
        ];
      }
      return each.types.map((type) => {
        const found = known?.types[type] ?? [];
        const id = found.length === 1 ? (found[0]?.id ?? "") : "";
        return { ...each, types: [type], id, registered: found, notAsked: notAsked(type) };
      });
    }),
  );
}

/** Each package once, with all types that it brings. */
function joined(
  packages: readonly (Omit<MissingPackage, "registered"> & Partial<MissingPackage>)[],
): MissingPackage[] {
  const all = new Map<string, MissingPackage>();
  for (const each of packages) {
    const candidates = each.registered ?? [];
    const key = JSON.stringify([each.id, each.isCore, candidates.map(({ id }) => id), each.notAsked]);
    const types = [...(all.get(key)?.types ?? []), ...each.types];
    all.set(key, { ...each, registered: candidates, types });
  }
  return [...all.values()];
}
