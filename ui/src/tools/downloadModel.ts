import { z } from "zod";
import { downloadOne } from "./missing/downloadOne";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

const input = z.object({
  url: textArgument("Of the file, on Hugging Face or Civitai."),
  folder: textArgument("Such as loras."),
  name: textArgument().optional(),
});

export const downloadModel = defineTool<z.infer<typeof input>, unknown>({
  name: "downloadModel",
  description: "Download a model file, once the user allows it.",
  input,
  effect: "reads",
  run: downloadOne,
  label: ({ url }) => `Download ${url?.split(/[?#]/)[0]?.split("/").at(-1) ?? "a model"}`,
});
