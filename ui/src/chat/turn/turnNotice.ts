import { z } from "zod";

/** Something to know about a turn besides its text, for example that its answer was cut. */
export const notice = z.object({ code: z.string(), message: z.string() });
export type TurnNotice = z.infer<typeof notice>;

const beyondBudget = z.object({ custom: z.object({ beyondBudget: z.literal(true) }) });

/** Notices after which asking the model to go on makes sense. */
const CONTINUABLE: ReadonlySet<string> = new Set([
  "length",
  "interrupted",
  "step-limit",
  "cut-off",
  "budget",
]);

/** Notices about what is being waited for: over when something of the answer arrives. */
const UNTIL_NEWS: ReadonlySet<string> = new Set(["retrying", "reading", "renders-hold-memory"]);

/** What the panel says in the person's name to have the model go on. */
export const CONTINUE = "Continue.";

/** The message of the button below a notice; after one of a budget it lets its turn spend more. */
export function goOn({ code }: TurnNotice) {
  return {
    content: [{ type: "text" as const, text: CONTINUE }],
    ...(code === "budget" && { metadata: { custom: { beyondBudget: true } } }),
  };
}

/** Whether the person lets the turn of a message go on whatever budgets say. */
export function isBeyondBudget(metadata: unknown): boolean {
  return beyondBudget.safeParse(metadata).success;
}

/** Whether the server has told that the person stopped it. */
export function isStop(part: { type: string; data?: unknown } | undefined): boolean {
  return part?.type === "data" && notice.safeParse(part.data).data?.code === "interrupted";
}

export function canContinue({ code }: TurnNotice): boolean {
  return CONTINUABLE.has(code);
}

export function isUntilNews({ code }: TurnNotice): boolean {
  return UNTIL_NEWS.has(code);
}

export interface DataPart {
  type: string;
  data: unknown;
  /** It comes past, and does not stand in the message. */
  transient?: boolean;
}

/** A notice about a turn that is still running, from a data part of its stream; one that stays stands in the message. */
export function turnNotice({ type, data, transient }: DataPart): TurnNotice | undefined {
  return type === "data-notice" && transient ? notice.safeParse(data).data : undefined;
}
