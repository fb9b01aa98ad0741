import { beforeEach, expect, it } from "vitest";
import { createClient } from "../api/client";
import { createContextApi } from "../api/contextApi";
import { type Outcome, performThreadAction, type ThreadAction } from "./threadActions";

const report = {
  form: "full",
  estimatedTokens: 11_500,
  window: 40_000,
  working: 32_000,
  blocks: {},
  compactions: [] as object[],
};
const compaction = {
  id: "c2",
  createdAt: 0,
  cause: "manual",
  turns: 12,
  rounds: 30,
  tokensBefore: 24_100,
  tokensAfter: 11_500,
  status: "active",
};
const setting = {
  name: "working_set_tokens",
  typed: "working-set-tokens",
  label: "Working set",
  unit: "token",
  value: 32_000,
  default: 32_000,
  kind: "integer",
  description: "",
};

/** A server part that condenses once, and remembers what it was asked. */
let requests: string[];
let condensable: boolean;
const api = createContextApi(
  createClient(async (route, init) => {
    const body = init?.body ? JSON.parse(String(init.body)) : undefined;
    requests.push([init?.method, route, body && JSON.stringify(body)].filter(Boolean).join(" "));
    if (init?.method === "DELETE") return new Response(null, { status: 204 });
    if (route.endsWith("/persona"))
      return Response.json({
        chosen: body?.name ?? "",
        persona: body?.name ? { slug: "ada", name: "Ada", description: "" } : null,
      });
    if (route.endsWith("/provider")) {
      const provider = body?.provider ?? "p1";
      const status = {
        state: "ready",
        label: provider || "The default",
        id: "m",
        baseUrl: "",
        source: "settings",
      };
      return Response.json({
        provider,
        model: "",
        status: { ...status, local: true, slim: false, window: 8_000 },
      });
    }
    if (route.endsWith("/pins")) return Response.json({ id: "p1", text: body.text }, { status: 201 });
    if (route.endsWith("/options"))
      return Response.json(body ? { ...setting, value: Number(body.value) } : { options: [setting] });
    if (body?.action === "compact" && !condensable)
      return Response.json(
        { error: { code: "nothing_to_do", message: "There is nothing to condense yet.", hint: "" } },
        { status: 409 },
      );
    const compactions = body?.action === "compact" ? [compaction] : [];
    return Response.json({ ...report, compactions });
  }),
);
beforeEach(() => {
  requests = [];
  condensable = true;
});

const perform = (action: ThreadAction, id: string | undefined = "t1") =>
  performThreadAction(action, { id, begin: async () => id ?? "t-new" }, api);

async function told(outcome: Promise<Outcome>): Promise<string[]> {
  const done = await outcome;
  const undone = await done.undo?.();
  return [done.text, undone?.text ?? "cannot be undone"];
}

it.each<[ThreadAction, string[], string[]]>([
  [
    { kind: "clear" },
    [
      "Context cleared. You can still read everything above.",
      "Taken back: the model is sent what it was sent before.",
    ],
    [
      'POST /assistant/threads/t1/context {"action":"clear"}',
      'POST /assistant/threads/t1/context {"action":"undo"}',
    ],
  ],
  [
    { kind: "compact", focus: "the sampler" },
    [
      "12 turns and 30 tool results summarized: 24.1k → 11.5k tokens.",
      "Taken back: the model is sent what it was sent before.",
    ],
    [
      "GET /assistant/threads/t1/context",
      'POST /assistant/threads/t1/context {"action":"compact","focus":"the sampler"}',
      'POST /assistant/threads/t1/context {"action":"undo"}',
    ],
  ],
  [
    { kind: "pin", text: "seed 42" },
    ["Pinned: the model is reminded of “seed 42” in every turn of this chat.", "Unpinned “seed 42”."],
    ['POST /assistant/threads/t1/pins {"text":"seed 42"}', "DELETE /assistant/threads/t1/pins/p1"],
  ],
  [
    { kind: "persona", name: "ada" },
    ["Ada answers in this chat from now on.", "No other persona in this chat."],
    [
      "GET /assistant/threads/t1/persona",
      'PUT /assistant/threads/t1/persona {"name":"ada"}',
      "GET /assistant/threads/t1/persona",
      'PUT /assistant/threads/t1/persona {"name":""}',
    ],
  ],
  [
    { kind: "answerer", wanted: { provider: "Ada" } },
    ["Ada answers in this chat from now on.", "p1 answers in this chat from now on."],
    [
      "GET /assistant/threads/t1/provider",
      'PUT /assistant/threads/t1/provider {"provider":"Ada"}',
      "GET /assistant/threads/t1/provider",
      'PUT /assistant/threads/t1/provider {"provider":"p1","model":""}',
    ],
  ],
  [
    { kind: "configure", name: "Working-Set-Tokens", value: "24000" },
    ["Working set: now 24,000 tokens.", "Working set: 32,000 tokens again."],
    [
      "GET /assistant/options",
      'PUT /assistant/options {"name":"working_set_tokens","value":"24000"}',
      'PUT /assistant/options {"name":"working_set_tokens","value":32000}',
    ],
  ],
])("tells what came of %j, and takes it back", async (action, expected, asked) => {
  condensable = true;
  const replies = told(perform(action));
  expect(await replies).toEqual(expected);
  expect(requests).toEqual(asked);
});

it("says so where there is nothing to condense", async () => {
  condensable = false;
  expect(await told(perform({ kind: "compact", focus: "" }))).toEqual([
    "There is nothing to condense yet.",
    "cannot be undone",
  ]);
});

it("asks nothing of a chat in which nothing was said, but pins in it", async () => {
  const begin = async () => "t-new";
  const act = (action: ThreadAction) => performThreadAction(action, { id: undefined, begin }, api);
  expect((await act({ kind: "clear" })).text).toBe("Nothing was said in this chat yet.");
  expect((await act({ kind: "compact", focus: "" })).text).toBe("Nothing was said in this chat yet.");
  expect(requests).toEqual([]);
  await act({ kind: "pin", text: "seed 42" });
  expect(requests).toEqual(['POST /assistant/threads/t-new/pins {"text":"seed 42"}']);
});
