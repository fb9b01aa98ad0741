import type { TurnUndo } from "../chat/chatContext";
import type { Turns } from "../chat/turn/turns";
import type { Comfy } from "../comfy/bridge";
import { createStore } from "../shared/store";

/** Undoing turns, whoever asks for it, and what of it the model has not been told. */
export interface UndoOfTurns extends TurnUndo {
  /** Of the newest turn of a thread that can be undone. Undefined where there is none. */
  undoNewest(thread: string): Promise<readonly string[] | undefined>;
  /** What the model of a thread has yet to be told. */
  newsOf(thread: string): UndoNews;
  /** The turns that the model has yet to be told of. */
  news: Set<string>;
  /** Resolves when nothing is being undone or redone. */
  settled(): Promise<unknown>;
}

/** What the person has undone or redone, by the messages that began the turns. */
export interface UndoNews {
  said: { undone?: string[]; redone?: string[] };
  /** Once it has arrived: it is no news any more, but for what was undone or redone meanwhile. */
  arrived(): void;
}

export function createTurnUndo(
  comfy: Pick<Comfy, "turnState" | "toggleTurn" | "hearTurns">,
  turns: Turns,
): UndoOfTurns {
  const count = createStore(0);
  const news = new Set<string>();

  const running = new Map<string, Promise<readonly string[]>>();

  /** A second press while it is being done is none. */
  function toggleOnce(turn: string, onDone?: () => void) {
    const known = running.get(turn);
    if (known) return known;
    const toggled = toggle(turn, onDone).finally(() => running.delete(turn));
    running.set(turn, toggled);
    return toggled;
  }

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

  const flip = (turn: string) => news.delete(turn) || news.add(turn);

  comfy.hearTurns((those) => {
    for (const turn of those) flip(turn);
    count.set((times) => times + 1);
  });

  return {
    state: comfy.turnState,
    count,
    news,
    settled: () => Promise.allSettled(running.values()),
    toggle: (turn) => toggleOnce(turn, () => flip(turn)),
    async undoNewest(thread) {
      const turn = turns.all(thread).findLast(({ id }) => comfy.turnState(id) === "done");
      return turn && toggleOnce(turn.id);
    },
    newsOf(thread) {
      const changed = turns.all(thread).filter(({ id }) => news.has(id));
      const of = (state: string) =>
        changed.filter(({ id }) => comfy.turnState(id) === state).map(({ message }) => message);
      const [undone, redone] = [of("undone"), of("done")];
      return {
        said: { ...(undone.length > 0 && { undone }), ...(redone.length > 0 && { redone }) },
        arrived() {
          for (const { id } of changed) flip(id);
        },
      };
    },
  };
}
