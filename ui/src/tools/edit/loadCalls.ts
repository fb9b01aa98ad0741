import { laterPart } from "../laterPart";

/** What carries out calls that edit: more than the rest of the tools together, so it loads with the first of them. */
export const loadCalls = () => laterPart(import("./calls"));
