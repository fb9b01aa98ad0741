import type { TurnUndo } from "../chat/chatContext";
import type { Turns } from "../chat/turns";
import type { Comfy } from "../comfy/bridge";
import { createStore } from "../shared/store";

/** Undoing turns, whoever asks for it, and what of it the model has not been told. */
export interface UndoOfTurns extends TurnUndo {
  /** Of the newest turn of a thread that can be undone. Undefined where there is none. */
  undoNewest(thread: string): Promise<readonly string[] | undefined>;
  /** What the person has undone or redone since this was asked last, by the messages that began the turns. */
  takeNews(thread: string): { undone?: string[]; redone?: string[] };
  /** The turns that the model has yet to be told of. */
  news: Set<string>;
}

export function createTurnUndo(comfy: Pick<Comfy, "turnState" | "toggleTurn">, turns: Turns): UndoOfTurns {
  const count = createStore(0);
  const news = new Set<string>();

  /** It may be done although it throws: ComfyUI has loaded something otherwise then. */
  async function toggle(turn: string, onDone?: () => void) {
    const before = comfy.turnState(turn);
    try {
      return await comfy.toggleTurn(turn);
    } finally {
      if (comfy.turnState(turn) !== before) {
        onDone?.();
        count.set((times) => times + 1);
      }
    }
  }

  return {
    state: comfy.turnState,
    count,
    news,
    toggle: (turn) => toggle(turn, () => news.delete(turn) || news.add(turn)),
    async undoNewest(thread) {
      const turn = turns.all(thread).findLast(({ id }) => comfy.turnState(id) === "done");
      return turn && toggle(turn.id);
    },
    takeNews(thread) {
      const changed = turns.all(thread).filter(({ id }) => news.delete(id));
      const of = (state: string) =>
        changed.filter(({ id }) => comfy.turnState(id) === state).map(({ message }) => message);
      const [undone, redone] = [of("undone"), of("done")];
      return { ...(undone.length > 0 && { undone }), ...(redone.length > 0 && { redone }) };
    },
  };
}
