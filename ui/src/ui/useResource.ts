import { useCallback, useEffect, useRef, useState } from "react";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { useOnReturn } from "./useOnReturn";

/** A way back from a change. */
export interface Undo {
  /** What was done: "Deleted “Never touch my seeds”." */
  label: string;
  run(): Promise<unknown>;
}

export interface Failure {
  details: ErrorDetails;
  /** There, where it may work another time. */
  retry: (() => void) | undefined;
}

/** Makes a change and reads anew what it is about; whether it was made. Of its result `undo` tells the way back. */
export type Perform = <Result>(
  change: () => Promise<Result>,
  undo?: (result: Result) => Undo | undefined,
) => Promise<boolean>;

/** Something of the server's that a page shows and changes. */
export interface Resource<Value> {
  /** Undefined until it was read for the first time. */
  value: Value | undefined;
  failure: Failure | undefined;
  /** Of the newest change. */
  undo: Undo | undefined;
  reload(): Promise<void>;
  perform: Perform;
  /** Takes a newer value that came another way. */
  accept(value: Value): void;
}

interface Options<Value> {
  /** After how many milliseconds such a value is read again by itself; undefined for one that stays. */
  every?: (value: Value) => number | undefined;
}

/**
 * What `read` gives, read anew when it is another function (so that must be a stable one), after each change, and when the
 * user comes back to the page. The answer to the newest question is shown, in whatever order they come.
 */
export function useResource<Value>(
  read: () => Promise<Value>,
  { every }: Options<Value> = {},
): Resource<Value> {
  const [value, setValue] = useState<Value>();
  const [failure, setFailure] = useState<Failure>();
  const [undo, setUndo] = useState<Undo>();
  const newest = useRef(0);
  // What was begun for an earlier question reads anew for the one that stands there by then.
  const question = useRef(read);
  question.current = read;
  const reload = useCallback(async () => {
    const own = ++newest.current;
    try {
      const answer = await question.current();
      if (own !== newest.current) return;
      setValue(() => answer);
      setFailure((shown) => (shown?.retry === reload ? undefined : shown));
    } catch (error) {
      if (own === newest.current) setFailure({ details: detailsOf(error), retry: reload });
    }
  }, []);
  const perform = useCallback<Perform>(
    async (change, undoOf) => {
      let isDone = true;
      setFailure(undefined);
      try {
        const result = await change();
        setUndo(undoOf?.(result));
      } catch (error) {
        isDone = false;
        const details = detailsOf(error);
        setFailure({ details, retry: details.retryable ? () => void perform(change, undoOf) : undefined });
      }
      await reload();
      return isDone;
    },
    [reload],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is a reason to ask
  useEffect(() => {
    void reload();
    return () => {
      newest.current++;
    };
  }, [read, reload]);
  useOnReturn(reload);
  const pause = value === undefined ? undefined : every?.(value);
  useEffect(() => {
    if (pause === undefined) return;
    const timer = setInterval(reload, pause);
    return () => clearInterval(timer);
  }, [pause, reload]);
  const accept = useCallback((newer: Value) => {
    newest.current++;
    setValue(() => newer);
  }, []);
  return { value, failure, undo, reload, perform, accept };
}
