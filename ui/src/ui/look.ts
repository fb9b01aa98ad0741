import { createStore, useStore } from "../shared/store";

/** How the panel can look: as the page around it, or like a terminal. The colors are ComfyUI's in both. */
export const looks = [
  { name: "comfyui", label: "ComfyUI" },
  { name: "terminal", label: "Terminal" },
] as const;

export type Look = (typeof looks)[number]["name"];

const KEY = "comfyui-assistant.look";

const chosen = createStore<Look | undefined>(undefined);

/** The one that was chosen in this browser. */
export function useLook(): Look {
  return useStore(chosen) ?? remembered();
}

export function chooseLook(look: Look): void {
  chosen.set(look);
  try {
    localStorage.setItem(KEY, look);
  } catch {}
}

function remembered(): Look {
  try {
    const name = localStorage.getItem(KEY);
    return looks.find((look) => look.name === name)?.name ?? "comfyui";
  } catch {
    return "comfyui";
  }
}
