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
  const known = await answersTo(ask, { ids, types });
  const notAsked = (name: string) => known.unanswered.get(name);
  return joined(
    packages.flatMap((each) => {
      if (each.isCore) return [each];
      if (each.id !== "") {
        const found = known.ids[each.id];
        return [
          {
            ...each,
            registered: found ? [found] : [],
            notAsked: notAsked(each.id),
          },
        ];
      }
      return each.types.map((type) => {
        const found = known.types[type] ?? [];
        const id = found.length === 1 ? (found[0]?.id ?? "") : "";
        return { ...each, types: [type], id, registered: found, notAsked: notAsked(type) };
      });
    }),
  );
}

interface Known extends Pick<z.output<typeof answers>, "ids" | "types"> {
  /** Why there is no answer for a name. */
  unanswered: Map<string, string | undefined>;
}

/** The server takes so many names at once. */
const mostAtOnce = 200;

async function answersTo(ask: Ask, { ids, types }: Pick<LookUp, "ids" | "types">): Promise<Known> {
  const known: Known = { ids: {}, types: {}, unanswered: new Map() };
  for (let from = 0; from < ids.length + types.length; from += mostAtOnce) {
    const until = from + mostAtOnce;
    const asked = {
      ids: ids.slice(from, until),
      types: types.slice(Math.max(0, from - ids.length), Math.max(0, until - ids.length)),
    };
    const reply = await ask("POST", "/assistant/missing/packages", asked);
    const answered = reply.ok ? answers.safeParse(reply.value).data : undefined;
    const failure = reply.ok ? "it answers in another form than expected" : reply.message;
    const open = answered ? (answered.unanswered ?? []) : [...asked.ids, ...asked.types];
    for (const name of open) known.unanswered.set(name, answered ? answered.why : failure);
    Object.assign(known.ids, answered?.ids);
    Object.assign(known.types, answered?.types);
  }
  return known;
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
