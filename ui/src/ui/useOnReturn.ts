import { useEffect, useEffectEvent } from "react";

/** Reads again what another page may have changed, each time the person comes back to this one. */
export function useOnReturn(readAgain: () => unknown): void {
  const onReturn = useEffectEvent(() => void readAgain());
  useEffect(() => {
    const listener = () => onReturn();
    window.addEventListener("focus", listener);
    return () => window.removeEventListener("focus", listener);
  }, []);
}
