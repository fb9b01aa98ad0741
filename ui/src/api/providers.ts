/** The providers of a person, each with what is known of its model and who says so. */

import { z } from "zod";
import type { Client } from "./client";
import { errorDetails } from "./errors";
import { listedModel } from "./listedModel";
import { widerWindow, windowOrigin } from "./replies";

const text = z.object({ value: z.string(), source: z.string() });
const price = z.object({ input: z.number(), cached: z.number(), output: z.number() });
const fact = <Value extends z.ZodType>(value: Value) =>
  z.object({ value: value.nullable(), source: z.string() });

const entry = z.object({
  id: z.string(),
  name: z.string(),
  baseUrl: text,
  model: text,
  apiKey: z.object({
    set: z.boolean(),
    last4: z.string().optional(),
    locked: z.boolean(),
    sharedWith: z.array(z.string()).default([]),
  }),
  entered: z.object({
    name: z.string().optional(),
    window: z.number().optional(),
    vision: z.boolean().optional(),
    profile: z.string().optional(),
    price: price.optional(),
    effort: z.string().optional(),
    temperature: z.number().optional(),
    dropsSystem: z.boolean().optional(),
  }),
  isDefault: z.boolean(),
  version: z.string(),
});
const whole = entry.extend({
  facts: z
    .object({
      window: fact(z.number()),
      vision: fact(z.boolean()),
      profile: fact(z.string()),
      price: fact(price),
      ...windowOrigin,
      widerWindow: widerWindow.optional(),
    })
    .optional(),
  rulesNote: z.string().nullish(),
  rulesLearnedAt: z.number().nullish(),
  problem: errorDetails.optional(),
});
const list = z.object({
  providers: z.array(entry),
  presets: z.array(z.object({ label: z.string(), baseUrl: z.string(), local: z.boolean() })),
});

export type Price = z.infer<typeof price>;
export type ProviderEntry = z.infer<typeof entry>;
/** `facts` are missing while it has no model. */
export type WholeProvider = z.infer<typeof whole>;
export type ProviderList = z.infer<typeof list>;

/** Null takes a value away, what is missing stays; `seen` is the version that was shown. A text is no number, and refused. */
export interface ProviderChange {
  baseUrl?: string;
  model?: string;
  apiKey?: string;
  name?: string | null;
  window?: number | string | null;
  vision?: boolean | null;
  profile?: string | null;
  price?: Record<keyof Price, number | string> | null;
  effort?: string | null;
  temperature?: number | string | null;
  dropsSystem?: boolean;
  isDefault?: boolean;
  seen?: string;
}

const route = (id?: string) => `/assistant/providers${id ? `/${encodeURIComponent(id)}` : ""}`;

export const readProviders = ({ read, send }: Client) => read(list, send("GET", route()));
export const readProvider = ({ read, send }: Client, id: string) => read(whole, send("GET", route(id)));
export const addProvider = ({ read, send }: Client, change: ProviderChange) =>
  read(whole, send("POST", route(), change));
export const changeProvider = ({ read, send }: Client, id: string, change: ProviderChange) =>
  read(whole, send("PATCH", route(id), change));
export const deleteProvider = ({ send }: Client, id: string) => send("DELETE", route(id));
export const forgetLearned = ({ send }: Client, id: string, what: "window" | "rules") =>
  send("DELETE", `${route()}/learned-${what}?provider=${encodeURIComponent(id)}`);

/** An endpoint as it is typed. */
export interface AskedEndpoint {
  id?: string;
  baseUrl?: string | undefined;
  model?: string | undefined;
  apiKey?: string | undefined;
}

const connectionTest = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    models: z.array(z.string()),
    details: z.array(listedModel),
    model: z.string(),
    latencyMs: z.number(),
  }),
  z.object({ ok: z.literal(false), error: errorDetails, meant: z.string().optional() }),
]);
export type ConnectionTest = z.infer<typeof connectionTest>;

const discoveredEndpoint = z.object({
  kind: z.string(),
  label: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
});
export type DiscoveredEndpoint = z.infer<typeof discoveredEndpoint>;
const discoveredReply = z.object({ endpoints: z.array(discoveredEndpoint) });

/** What is left out is taken from the provider `id`. */
export const testConnection = ({ read, send }: Client, asked: AskedEndpoint) =>
  read(connectionTest, send("POST", `${route()}/test`, asked));
export const discoveredEndpoints = async ({ read, send }: Client) =>
  (await read(discoveredReply, send("GET", `${route()}/discovered`))).endpoints;
