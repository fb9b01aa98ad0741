import { useState } from "react";

/** A button that has models leave the graphics memory, and says when they have. */
export function FreeMemory({ free }: { free(): Promise<void> }) {
  const [state, setState] = useState("");
  const press = () => {
    setState("…");
    free().then(
      () => setState("Models leave the graphics memory; they are loaded again when they are needed."),
      (error: unknown) => setState(String(error)),
    );
  };
  return state ? (
    <span className="cass-quiet">{state}</span>
  ) : (
    <button type="button" className="cass-button" onClick={press}>
      Free graphics memory
    </button>
  );
}
