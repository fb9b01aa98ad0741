import { ToolError } from "./toolError";

/** A part of a tool that loads when it is first needed. `loading` is of an `import`, which fails where it is gone. */
export async function laterPart<Part>(loading: Promise<Part>): Promise<Part> {
  try {
    return await loading;
  } catch {
    throw new ToolError(
      "The part of the assistant that does this could not be loaded, so nothing was done.",
      "The page has to be reloaded; say so.",
    );
  }
}
