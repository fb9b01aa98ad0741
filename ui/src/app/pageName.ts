import { newUuid } from "../graph/uuid";

const KEY = "comfyui-assistant.page-secret";

/**
 * By which the server knows this page: ComfyUI's id of it, which ComfyUI's history tells everybody who may read that, and
 * a secret of this tab, which a reload keeps. Without the second, another browser could begin a turn in this page's name.
 */
export function createPageName(
  pageId: () => string | undefined,
  storage: Pick<Storage, "getItem" | "setItem">,
): () => string | undefined {
  const secret = kept(storage) ?? newUuid();
  try {
    storage.setItem(KEY, secret);
  } catch {}
  return () => {
    const id = pageId();
    return id && `${id}:${secret}`;
  };
}

function kept(storage: Pick<Storage, "getItem">): string | undefined {
  try {
    return storage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
