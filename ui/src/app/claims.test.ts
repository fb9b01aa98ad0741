import { expect, it } from "vitest";
import { RequestError } from "../api/errors";
import { createClaims } from "./claims";

const state = { isOver: false, isMine: true, response: null, begun: {}, workflow: undefined };
const mine = { isMine: true, workflow: undefined };
const unreachable = new RequestError({ code: "unreachable", message: "", hint: "" }, 0);
const never = new AbortController().signal;

function createServer(...answers: (typeof state | Error)[]) {
  const asked: unknown[] = [];
  return {
    asked,
    async ask(thread: string, claim: object) {
      asked.push({ thread, ...claim });
      const answer = answers.shift() ?? state;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

it("asks before each call whether it is this page's to make", async () => {
  const server = createServer(state, { ...state, isMine: false });
  const claims = createClaims(server.ask, () => "p1");
  const workflow = { name: "fox" };
  expect(await claims.begin("t", "c1", never, workflow)).toMatchObject({ isMine: true });
  expect(await claims.begin("t", "c2", never)).toMatchObject({ isMine: false });
  expect(server.asked).toEqual([
    { thread: "t", page: "p1", call: "c1", workflow },
    { thread: "t", page: "p1", call: "c2" },
  ]);
});

it("waits for a server that is out of reach, and not for one that refuses or after a Stop", async () => {
  const server = createServer(unreachable, unreachable, { ...state, isMine: false });
  const claims = createClaims(server.ask, () => "p1", 1);
  expect(await claims.begin("t", "c1", never)).toMatchObject({ isMine: false });
  expect(server.asked).toHaveLength(3);

  const refusing = createServer(
    new RequestError({ code: "internal_error", message: "It broke.", hint: "" }, 500),
  );
  expect(await createClaims(refusing.ask, () => "p1", 1).begin("t", "c1", never)).toEqual({
    ...mine,
    unsure: "It broke.",
  });

  const stopping = new AbortController();
  const gone = createServer(...Array.from({ length: 99 }, () => unreachable));
  setTimeout(() => stopping.abort(), 20);
  expect(await createClaims(gone.ask, () => "p1", 1).begin("t", "c1", stopping.signal)).toEqual(mine);
});

it("knows of nothing where the page has no id, or the server does not answer", async () => {
  const server = createServer(unreachable);
  expect(await createClaims(server.ask, () => "p1").claim("t")).toBeUndefined();
  const nameless = createClaims(server.ask, () => undefined);
  expect(await nameless.claim("t")).toBeUndefined();
  expect(await nameless.begin("t", "c1", never)).toEqual(mine);
  nameless.tell("t", "c1", {});
  expect(server.asked).toHaveLength(1);
});

it("tells with which note another page could go on with a call", () => {
  const server = createServer();
  const claims = createClaims(server.ask, () => "p1");
  claims.tell("t", "c1", { promptId: "x" });
  claims.tell("t", "c2", undefined);
  claims.tell(undefined, "c3", {});
  expect(server.asked).toEqual([{ thread: "t", page: "p1", call: "c1", note: { promptId: "x" } }]);
});
