/** What can be undone, kept while the browser loads the page anew: for as long as its tab is open. */

import type { KeptTurns, Turns } from "../chat/turn/turns";
import type { Comfy, KeptTurn } from "../comfy/bridge";

const KEY = "comfyui-assistant.turns";
/** In characters: the browser gives a site about five million, and ComfyUI needs its own. */
const MOST = 1_000_000;

interface Kept extends KeptTurns {
  made: KeptTurn[];
  news: string[];
}

interface Knowledge {
  comfy: Pick<Comfy, "keptTurns" | "restoreTurns">;
  turns: Pick<Turns, "kept" | "restore">;
  news: Set<string>;
}

/** A storage may be full or forbidden, and hold what another version has written: then nothing is known. */
export function restoreTurns(storage: Pick<Storage, "getItem">, { comfy, turns, news }: Knowledge): void {
  try {
    const kept: Kept | null = JSON.parse(storage.getItem(KEY) ?? "null");
    if (!kept) return;
    turns.restore(kept);
    comfy.restoreTurns(kept.made);
    for (const turn of kept.news) news.add(turn);
  } catch {}
}

/** The newest of them, as many as there is room for. */
export function keepTurns(storage: Pick<Storage, "setItem">, { comfy, turns, news }: Knowledge): void {
  let made = newestWithin(MOST, comfy.keptTurns());
  for (;;) {
    const kept: Kept = { ...turns.kept(new Set(made.map(({ turn }) => turn))), made, news: [...news] };
    try {
      storage.setItem(KEY, JSON.stringify(kept));
      return;
    } catch {
      if (made.length === 0) return;
      made = made.slice(Math.ceil(made.length / 2));
    }
  }
}

/** So many characters of them, as JSON. */
function newestWithin(most: number, made: readonly KeptTurn[]): KeptTurn[] {
  let room = most;
  const tooMany = made.findLastIndex((turn) => {
    room -= JSON.stringify(turn).length;
    return room < 0;
  });
  return made.slice(tooMany + 1);
}
