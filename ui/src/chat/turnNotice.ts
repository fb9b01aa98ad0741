import { z } from "zod";

/** Something to know about a turn besides its text, for example that its answer was cut. */
export const notice = z.object({ code: z.string(), message: z.string() });
export type TurnNotice = z.infer<typeof notice>;

/** Notices after which asking the model to go on makes sense. */
const CONTINUABLE: ReadonlySet<string> = new Set(["length", "interrupted", "step-limit", "cut-off"]);

/** What the panel says in the person's name to have the model go on. */
export const CONTINUE = "Continue.";

export function canContinue({ code }: TurnNotice): boolean {
  return CONTINUABLE.has(code);
}

/** A notice about a turn that is still running, from a data part of its stream. */
export function turnNotice(part: { type: string; data: unknown }): TurnNotice | undefined {
  return part.type === "data-notice" ? notice.safeParse(part.data).data : undefined;
}
