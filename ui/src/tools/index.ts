/** Every browser tool, in the order in which a model sees them. */

import type { Tool } from "./tool";

export const browserTools: readonly Tool[] = [];
