import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from "react";
import type { LazyChunk } from "../shared/lazyChunk";
import { Button } from "../ui/Button";
import { Loading } from "./Loading";
import { Problem } from "./Problem";

interface Props<ViewProps> {
  /** In the plural, for a sentence: "The chats could not be loaded". */
  name: string;
  view: LazyChunk<ComponentType<ViewProps>>;
  props: ViewProps;
  /** Stands there until the view has come. */
  placeholder?: ReactNode;
}

/** A view from a chunk of its own; one that does not come says so. */
export function LazyView<ViewProps extends object>({ name, view, props, placeholder }: Props<ViewProps>) {
  const state = useLazyChunk(view);
  if (state.kind === "ready") {
    const View = state.content;
    return <View {...props} />;
  }
  if (state.kind === "failed") return <LazyFailure name={name} chunk={view} />;
  return placeholder ?? <Loading />;
}

/** Follows a chunk and has it loaded. */
export function useLazyChunk<Content>(chunk: LazyChunk<Content>) {
  useEffect(() => chunk.load(), [chunk]);
  return useSyncExternalStore(chunk.subscribe, chunk.get, chunk.get);
}

/** After an update the hashed file that this page knows is gone, so only a reload of the page can find the new one. */
export function LazyFailure({ name, chunk }: { name: string; chunk: LazyChunk<unknown> }) {
  const state = useSyncExternalStore(chunk.subscribe, chunk.get, chunk.get);
  if (state.kind !== "failed") return null;
  return (
    <Problem
      details={{
        message: `${name} could not be loaded (${state.reason}).`,
        hint: "Try again once ComfyUI can be reached; if the extension was just updated, reload the page.",
      }}
    >
      <Button onClick={() => location.reload()}>Reload the page</Button>
      <Button onClick={chunk.load}>Try again</Button>
    </Problem>
  );
}
