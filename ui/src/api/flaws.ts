/** What the server says of files that people wrote. */

import { z } from "zod";

/** What is wrong with a file, and what to do about it. */
export const flaw = z.object({ path: z.string(), problem: z.string(), action: z.string() });

/** One of a folder of such files: where it `leavesOut` its file, that has no effect at all. */
export const flawAmongOthers = flaw.extend({ leavesOut: z.boolean() });

export type Flaw = z.output<typeof flaw>;
