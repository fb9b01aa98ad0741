import { useState } from "react";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { Button } from "./Button";
import { Problem } from "./Problem";

interface Props {
  label: string;
  /** What is said in its place when it is done. */
  done: string;
  run(): Promise<void>;
}

type State = { kind: "idle" | "running" | "done" } | { kind: "failed"; details: ErrorDetails };

/** A button that does what takes a moment, and then says how that went. */
export function PressOnce({ label, done, run }: Props) {
  const [state, setState] = useState<State>({ kind: "idle" });
  const press = () => {
    setState({ kind: "running" });
    run().then(
      () => setState({ kind: "done" }),
      (error: unknown) => setState({ kind: "failed", details: detailsOf(error) }),
    );
  };
  switch (state.kind) {
    case "idle":
      return <Button onClick={press}>{label}</Button>;
    case "running":
      return <span className="cass-quiet">…</span>;
    case "done":
      return <span className="cass-quiet">{done}</span>;
    case "failed":
      return <Problem details={state.details} retry={press} />;
  }
}
