/** ComfyUI-Manager, where it is installed: its own queue installs, and its own security level has the last word. */

import { z } from "zod";
import type { ToolContext } from "../tool";
import { ToolError } from "../toolError";
import type { Ask, Registered, Reply } from "./ask";

export interface Manager {
  /** The packages that bring these types, by the ids of the registry, as its own data on this machine knows them. */
  packagesOf(types: readonly string[]): Promise<ReadonlyMap<string, string>>;
  install(packages: readonly Registered[], context: ToolContext): Promise<void>;
  restart(): Promise<void>;
}

const mappings = z.record(z.string(), z.tuple([z.array(z.string())], z.unknown()));
const status = z.object({ is_processing: z.boolean() });
const installed = z.record(
  z.string(),
  z.object({ ver: z.string().optional(), cnr_id: z.string().optional() }).catch({}),
);
const refused = z.object({ failed: z.array(z.string()) });
const noSuchRoute = new Set([404, 405]);
const registryId = /^[a-z0-9][a-z0-9._-]*$/i;
const lookAgainAfter = 500;

/** The newer one answers under `/v2`. Undefined: it is not here. */
export async function findManager(ask: Ask): Promise<Manager | undefined> {
  for (const prefix of ["/v2", ""]) {
    const reply = await ask("GET", `${prefix}/manager/version`);
    if (reply.ok && typeof reply.value !== "object") return createManager(ask, prefix);
  }
  return undefined;
}

function createManager(ask: Ask, prefix: string): Manager {
  /** Older ones take these by GET alone. */
  async function order(route: string) {
    const reply = await ask("POST", `${prefix}${route}`, {});
    return !reply.ok && reply.status === 405 ? ask("GET", `${prefix}${route}`) : reply;
  }

  async function queue({ id, version, repository }: Registered): Promise<Reply> {
    const params = {
      id,
      version,
      selected_version: version,
      channel: "default",
      mode: "cache",
      ...(repository && { repository }),
    };
    const ui_id = `comfyui-assistant-${id}`;
    if (prefix === "") return ask("POST", "/manager/queue/install", { ...params, ui_id });
    const task = { ui_id, client_id: "comfyui-assistant", kind: "install", params };
    const reply = await ask("POST", "/v2/manager/queue/task", task);
    if (reply.ok || !noSuchRoute.has(reply.status)) return reply;
    // The newer one, with the older one's interface.
    const batch = await ask("POST", "/v2/manager/queue/batch", { install: [{ ...params, ui_id }] });
    const failed = batch.ok ? refused.safeParse(batch.value).data?.failed : [];
    return failed?.includes(id)
      ? { ok: false, status: 403, code: "refused", message: "It is refused." }
      : batch;
  }

  return {
    async packagesOf(types) {
      const reply = await ask("GET", `${prefix}/customnode/getmappings?mode=local`);
      const known = reply.ok ? mappings.safeParse(reply.value).data : undefined;
      const wanted = new Set(types);
      return new Map(
        Object.entries(known ?? {}).flatMap(([id, [brought]]) =>
          registryId.test(id)
            ? brought.filter((type) => wanted.has(type)).map((type) => [type, id] as const)
            : [],
        ),
      );
    },
    async install(packages, { signal, onProgress }) {
      for (const each of packages) {
        const reply = await queue(each);
        if (!reply.ok)
          throw new ToolError(
            reply.status === 403 || reply.status === 404
              ? `ComfyUI-Manager's security level does not allow installing ${each.id}.`
              : `ComfyUI-Manager did not take ${each.id}: ${reply.message}`,
            "The user can change the level in ComfyUI-Manager's settings, or install it there.",
          );
      }
      await order("/manager/queue/start");
      onProgress({ text: `Installing ${packages.map(({ name }) => name).join(", ")}` });
      for (;;) {
        if (signal.aborted) throw new ToolError("Stopped; ComfyUI-Manager finishes what it has begun.");
        await new Promise((resolve) => setTimeout(resolve, lookAgainAfter));
        const now = await ask("GET", `${prefix}/manager/queue/status`);
        if (!now.ok) throw new ToolError(`ComfyUI-Manager does not answer: ${now.message}`);
        if (!status.safeParse(now.value).data?.is_processing) break;
      }
      const reply = await ask("GET", `${prefix}/customnode/installed`);
      const there = new Map(
        Object.entries((reply.ok && installed.safeParse(reply.value).data) || {}).flatMap(
          ([name, { ver, cnr_id }]) => [name, cnr_id ?? ""].map((each) => [lower(each), ver] as const),
        ),
      );
      const absent = packages.filter(({ id, name }) => !there.has(lower(id)) && !there.has(lower(name)));
      if (absent.length > 0)
        throw new ToolError(
          `ComfyUI-Manager did not install ${absent.map(({ id }) => id).join(", ")}.`,
          "ComfyUI's log says why.",
        );
      const others = packages.flatMap(({ id, name, version }) => {
        const ver = there.get(lower(id)) ?? there.get(lower(name));
        return ver && version && ver !== version ? [`${id} ${ver} and not ${version}`] : [];
      });
      if (others.length > 0)
        throw new ToolError(
          `ComfyUI-Manager installed ${others.join(", ")}, which is not what the user said yes to. ComfyUI was not restarted, so none of it has run.`,
          "The user keeps it by restarting ComfyUI, or removes it in ComfyUI-Manager before.",
        );
    },
    async restart() {
      const reply = await order("/manager/reboot");
      // While it goes down it answers nothing, or a proxy answers for it.
      if (!reply.ok && reply.status >= 400 && reply.status < 500)
        throw new ToolError(
          `ComfyUI-Manager does not restart ComfyUI (${reply.status}).`,
          "The user restarts it by hand and reloads the page.",
        );
    },
  };
}

function lower(name: string): string {
  return name.toLowerCase();
}
