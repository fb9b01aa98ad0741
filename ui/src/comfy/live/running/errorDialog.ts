/** The dialog that ComfyUI opens when a run fails. */

interface VueRoot {
  __vue_app__?: {
    config: {
      globalProperties: {
        $pinia?: { _s: Map<string, { closeDialog?(dialog: { key: string }): void }> };
      };
    };
  };
}

/** ComfyUI 1.32 opens it over the panel, where the same is told already; there is no other way to its store. */
export function closeErrorDialog(): void {
  const root = document.querySelector("#vue-app") as VueRoot | null;
  const stores = root?.__vue_app__?.config.globalProperties.$pinia?._s;
  stores?.get("dialog")?.closeDialog?.({ key: "global-execution-error" });
}
