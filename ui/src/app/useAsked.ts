import { useAui } from "@assistant-ui/react";
import { useEffect } from "react";
import { type Store, useStore } from "../shared/store";

/** Puts into the composer what the person asks about from outside the panel. */
export function useAsked(asked: Store<string | undefined>) {
  const aui = useAui();
  const text = useStore(asked);
  useEffect(() => {
    if (text === undefined) return;
    asked.set(undefined);
    const composer = aui.thread.composer();
    composer.setText([composer.getState().text, text].filter(Boolean).join("\n"));
  }, [aui, asked, text]);
}
