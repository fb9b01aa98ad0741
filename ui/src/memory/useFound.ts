import { useCallback, useEffect, useRef, useState } from "react";

/**
 * What `ask` finds for some words. `read` asks anew, as after a change: for the words that stand there by then. Only what
 * was asked last is shown, and its failure thrown, in whatever order the answers come.
 */
export function useFound<Found>(
  words: string,
  ask: (words: string) => Promise<Found>,
  perform: (work: Promise<unknown>) => unknown,
) {
  const [found, setFound] = useState<Found>();
  const wanted = useRef(words);
  const newest = useRef(0);
  const read = useCallback(async () => {
    newest.current += 1;
    const asked = newest.current;
    try {
      const answer = await ask(wanted.current);
      if (asked === newest.current) setFound(answer);
    } catch (error) {
      if (asked === newest.current) throw error;
    }
  }, [ask]);
  useEffect(() => {
    wanted.current = words;
    void perform(read());
  }, [words, read, perform]);
  return { found, read };
}
