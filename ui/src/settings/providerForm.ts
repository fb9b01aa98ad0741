import type { ProviderChange, WholeProvider } from "../api/providers";

/** The form's fields as typed. The key is never read back: an empty field keeps the one that is saved. */
export interface ProviderFields {
  baseUrl: string;
  model: string;
  apiKey: string;
  name: string;
  window: string;
  vision: string;
  profile: string;
  /** Dollars for a million tokens: of the input, and of the output. */
  input: string;
  cached: string;
  output: string;
  effort: string;
  temperature: string;
  /** "user" where system messages are dropped. */
  rulesIn: string;
}

export const NOTHING: ProviderFields = {
  ...{ baseUrl: "", model: "", apiKey: "", name: "", window: "", vision: "", profile: "" },
  ...{ input: "", cached: "", output: "", effort: "", temperature: "", rulesIn: "" },
};

export function fieldsOf({ baseUrl, model, entered }: WholeProvider): ProviderFields {
  const { name = "", window, vision, profile = "", price, effort = "", temperature } = entered;
  return {
    baseUrl: baseUrl.value,
    model: model.value,
    apiKey: "",
    name,
    window: text(window),
    vision: vision === undefined ? "" : vision ? "yes" : "no",
    profile,
    input: text(price?.input),
    cached: text(price?.cached),
    output: text(price?.output),
    effort,
    temperature: text(temperature),
    rulesIn: entered.dropsSystem ? "user" : "",
  };
}

/** What differs from what is saved; a locked field never does. */
export function changesOf(fields: ProviderFields, saved: WholeProvider | undefined): ProviderChange {
  const before = saved ? fieldsOf(saved) : NOTHING;
  const differs = (...names: (keyof ProviderFields)[]) =>
    names.some((name) => fields[name].trim() !== before[name]);
  const isOpen = (source: string | undefined) => !lockNote(source);
  return {
    ...(differs("baseUrl") && isOpen(saved?.baseUrl.source) && { baseUrl: fields.baseUrl.trim() }),
    ...(differs("model") && isOpen(saved?.model.source) && { model: fields.model.trim() }),
    ...(differs("apiKey") && !saved?.apiKey.locked && { apiKey: fields.apiKey.trim() }),
    ...(differs("name") && { name: fields.name.trim() || null }),
    ...(differs("window") && { window: numberIn(fields.window) }),
    ...(differs("vision") && { vision: fields.vision === "" ? null : fields.vision === "yes" }),
    ...(differs("profile") && { profile: fields.profile || null }),
    ...(differs("input", "cached", "output") && { price: priceIn(fields) }),
    ...(differs("effort") && { effort: fields.effort || null }),
    ...(differs("rulesIn") && { dropsSystem: fields.rulesIn === "user" }),
    ...(differs("temperature") && {
      temperature: fields.temperature.trim() ? amountIn(fields.temperature) : null,
    }),
  };
}

export function hasChanges(change: ProviderChange): boolean {
  return Object.keys(change).length > 0;
}

/** The model that answered the test, or the only one there is; empty where somebody has to choose. */
export function answeringModel({ model, models }: { model: string; models: readonly string[] }): string {
  return model || (models.length === 1 ? (models[0] ?? "") : "");
}

/** Whom else a change of the key concerns, in words. */
export function keyNote(saved: WholeProvider | undefined): string | undefined {
  if (saved?.apiKey.locked) return "set by environment";
  const others = saved?.apiKey.sharedWith.join(", ");
  return others && `the same for ${others}`;
}

/** Who decides a value that cannot be changed here, in words. */
export function lockNote(source: string | undefined): string | undefined {
  if (source === "file") return "set by the .env file";
  return source === "environment" ? "set by environment" : undefined;
}

/** `usual` is the server of our list that the address is of. */
export function keyPlaceholder(saved: WholeProvider | undefined, usual?: { local: boolean }): string {
  if (!saved?.apiKey.set)
    return usual?.local === false ? "from your account there" : "none (local servers need none)";
  return saved.apiKey.last4 ? `saved, ends in ${saved.apiKey.last4}` : "saved";
}

const origins: Readonly<Record<string, string>> = {
  you: "entered by you",
  setting: "from the environment",
  endpoint: "told by the server",
  table: "from our table",
  name: "by its name",
  learned: "learned",
  local: "it runs nearby",
};

/** Where a value comes from, in words. */
export function originOf(source: string | undefined): string {
  return origins[source ?? ""] ?? "not known";
}

/** Who chose the form in which rules and tools are sent; where its window did, the form itself. */
export function profileNote(facts: WholeProvider["facts"]): string | undefined {
  if (facts?.profile.source !== "unknown") return facts && originOf(facts.profile.source);
  return facts.profile.value === "slim" ? "short" : "full";
}

const text = (number: number | undefined) => (number === undefined ? "" : String(number));

/** A number as people type it; what is none goes to the server as it is, which says what is wrong with it. */
function numberIn(typed: string): number | string | null {
  const [, digits = "", thousands] = /^(\d+)(k?)$/i.exec(typed.replaceAll(/[\s,_]/g, "")) ?? [];
  return digits ? Number(digits) * (thousands ? 1000 : 1) : typed.trim() || null;
}

function priceIn({ input, cached, output }: ProviderFields): ProviderChange["price"] {
  if (!(input + cached + output).trim()) return null;
  return { input: amountIn(input), cached: amountIn(cached.trim() || input), output: amountIn(output) };
}

function amountIn(typed: string): number | string {
  const text = typed.trim().replace(",", ".");
  return text === "" || Number.isNaN(Number(text)) ? text : Number(text);
}
