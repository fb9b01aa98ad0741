import { type ReactNode, useCallback, useEffect, useState } from "react";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { Problem } from "../ui/Problem";
import { useOnReturn } from "../ui/useOnReturn";

export type Loaded<Value> =
  | { kind: "loading" }
  | { kind: "ready"; value: Value }
  | { kind: "failed"; details: ErrorDetails };

export interface Loading<Value> {
  state: Loaded<Value>;
  reload(): void;
  /** Takes a newer value that came another way. */
  accept(value: Value): void;
}

/** What `fetchValue` gives; asked again when it is another function, so that must be a stable one. */
export function useLoaded<Value>(fetchValue: () => Promise<Value>): Loading<Value> {
  const [state, setState] = useState<Loaded<Value>>({ kind: "loading" });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is a reason to ask again
  useEffect(() => {
    let current = true;
    setState((previous) => (previous.kind === "ready" ? previous : { kind: "loading" }));
    fetchValue().then(
      (value) => current && setState({ kind: "ready", value }),
      (error: unknown) => current && setState({ kind: "failed", details: detailsOf(error) }),
    );
    return () => {
      current = false;
    };
  }, [fetchValue, attempt]);
  const reload = useCallback(() => setAttempt((previous) => previous + 1), []);
  useOnReturn(reload);
  return {
    state,
    reload,
    accept: useCallback((value: Value) => setState({ kind: "ready", value }), []),
  };
}

/** The value as `children` draw it, or that it is on its way, or why it is not there. */
export function WhenLoaded<Value>({
  loading: { state, reload },
  children,
}: {
  loading: Loading<Value>;
  children(value: Value): ReactNode;
}) {
  switch (state.kind) {
    case "loading":
      return <p className="cass-quiet">Loading…</p>;
    case "ready":
      return children(state.value);
    case "failed":
      return (
        <Problem details={state.details}>
          <button type="button" className="cass-button" onClick={reload}>
            Try again
          </button>
        </Problem>
      );
  }
}
