import { useState } from "react";

interface Props {
  label: string;
  /** What is said in its place when it is done. */
  done: string;
  run(): Promise<void>;
}

/** A button that does what takes a moment, and then says how that went. */
export function PressOnce({ label, done, run }: Props) {
  const [state, setState] = useState("");
  const press = () => {
    setState("…");
    run().then(
      () => setState(done),
      (error: unknown) => setState(String(error)),
    );
  };
  return state ? (
    <span className="cass-quiet">{state}</span>
  ) : (
    <button type="button" className="cass-button" onClick={press}>
      {label}
    </button>
  );
}
