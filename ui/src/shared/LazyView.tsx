import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from "react";
import type { LazyPart } from "./lazyPart";
import { Problem } from "./Problem";

interface Props<ViewProps> {
  /** In the plural, for a sentence: "The chats could not be loaded". */
  name: string;
  view: LazyPart<ComponentType<ViewProps>>;
  props: ViewProps;
  /** Stands there until the view has come. */
  placeholder?: ReactNode;
}

/** A view from a chunk of its own; one that does not come says so. */
export function LazyView<ViewProps extends object>({ name, view, props, placeholder }: Props<ViewProps>) {
  const state = useLazyPart(view);
  if (state.kind === "ready") {
    const View = state.part;
    return <View {...props} />;
  }
  if (state.kind === "failed") return <LazyFailure name={name} part={view} />;
  return placeholder ?? <p className="cass-lazy cass-quiet">Loading…</p>;
}

/** Follows a part and has it loaded. */
export function useLazyPart<Part>(part: LazyPart<Part>) {
  useEffect(() => part.load(), [part]);
  return useSyncExternalStore(part.subscribe, part.get, part.get);
}

/** After an update the hashed file that this page knows is gone, so only a reload of the page can find the new one. */
export function LazyFailure({ name, part }: { name: string; part: LazyPart<unknown> }) {
  const state = useSyncExternalStore(part.subscribe, part.get, part.get);
  if (state.kind !== "failed") return null;
  return (
    <Problem
      details={{
        message: `${name} could not be loaded (${state.reason}).`,
        hint: "If the extension was just updated, reload the page.",
      }}
    >
      <button type="button" className="cass-button" onClick={() => location.reload()}>
        Reload the page
      </button>
      <button type="button" className="cass-button" onClick={part.load}>
        Try again
      </button>
    </Problem>
  );
}
