import { z } from "zod";
import { ByHandFile } from "./missing/ByHandFile";
import type { ByHand } from "./missing/lines";
import { settleMissing } from "./missing/settleMissing";
import { defineTool } from "./tool";

export interface MissingData {
  /** What the person gets without the assistant. */
  byHand?: readonly ByHand[];
  [more: string]: unknown;
}

export const findMissing = defineTool<Record<string, never>, MissingData>({
  name: "findMissing",
  description:
    "Find models and packages that the open workflow lacks; the user chooses what is fetched, installed or replaced.",
  input: z.object({}),
  effect: "edits",
  slim: { description: "Get the models and nodes that the open workflow lacks; the user chooses." },
  needsReading: () => false,
  run: (_, comfy, context) => settleMissing(comfy, context),
  label: () => "Look for what is missing",
  render: ({ result }) =>
    result?.ok &&
    result.data.byHand !== undefined &&
    result.data.byHand.length > 0 && (
      <ul className="cass-missing">
        {result.data.byHand.map((each) => (
          <li key={each.file}>
            <span className="cass-missing-what">
              <b>{each.file}</b>
              <ByHandFile {...each} />
            </span>
          </li>
        ))}
      </ul>
    ),
});
