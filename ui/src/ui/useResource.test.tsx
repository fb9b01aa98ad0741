// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useCallback } from "react";
import { afterEach, expect, it } from "vitest";
import { RequestError, unreachable } from "../api/errors";
import { Button } from "./Button";
import { Loaded } from "./Page";
import { useResource } from "./useResource";

afterEach(cleanup);

/** A list on a server, of which each request can be made to fail. */
function createServer(words: string[]) {
  let failures: Error[] = [];
  const answer = async <Value,>(make: () => Value) => {
    const [failure, ...others] = failures;
    failures = others;
    if (failure) throw failure;
    return make();
  };
  return {
    failWith(...errors: Error[]) {
      failures = errors;
    },
    all: () => answer(() => [...words]),
    remove: (word: string) => answer(() => words.splice(words.indexOf(word), 1)),
    add: (word: string) => answer(() => words.push(word)),
  };
}

function Words({ server }: { server: ReturnType<typeof createServer> }) {
  const words = useResource(server.all);
  return (
    <Loaded of={words}>
      {(all) =>
        all.map((word) => (
          <Button
            key={word}
            onClick={() =>
              void words.perform(
                () => server.remove(word),
                () => ({ label: `Deleted ${word}.`, run: () => server.add(word) }),
              )
            }
          >
            {word}
          </Button>
        ))
      }
    </Loaded>
  );
}

it("deletes at once, and brings back what was deleted", async () => {
  render(<Words server={createServer(["one", "two"])} />);
  expect(screen.getByText("Loading…")).toBeTruthy();
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "one" }));
  expect(screen.queryByRole("button", { name: "one" })).toBeNull();
  expect(screen.getByRole("status").textContent).toBe("Deleted one.Undo");
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByRole("button", { name: "one" })).toBeTruthy();
  expect(screen.queryByRole("status")).toBeNull();
});

it("says why nothing could be read and what to do, and reads when it is asked to", async () => {
  const server = createServer(["one"]);
  server.failWith(unreachable());
  render(<Words server={server} />);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("ComfyUI did not answer. Check that ComfyUI is still running");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("button", { name: "one" })).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

it("goes on showing why a change was refused, and offers to try again only what may work then", async () => {
  const server = createServer(["one"]);
  render(<Words server={server} />);
  const one = await screen.findByRole("button", { name: "one" });
  server.failWith(new RequestError({ code: "not_there", message: "It is gone.", hint: "Add it." }, 404));
  await userEvent.click(one);
  expect(screen.getByRole("alert").textContent).toBe("It is gone. Add it.");
  server.failWith(unreachable());
  await userEvent.click(one);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect((await screen.findByRole("status")).textContent).toBe("Deleted one.Undo");
});

/** A search that answers when it is told to, and a change in it. */
function createSearch() {
  const asked: { query: string; answer(found: string): void }[] = [];
  const changed = Promise.withResolvers<void>();
  function Search({ query }: { query: string }) {
    const found = useResource(
      useCallback(() => new Promise<string>((answer) => asked.push({ query, answer })), [query]),
    );
    return (
      <>
        <Loaded of={found}>{(text) => <p>{text}</p>}</Loaded>
        <Button onClick={() => void found.perform(() => changed.promise)}>Change</Button>
      </>
    );
  }
  return { asked, changed, Search };
}

const soon = () => new Promise((resolve) => setTimeout(resolve));

it("shows the answer to the newest question, also where an older one comes later", async () => {
  const { asked, Search } = createSearch();
  const { rerender } = render(<Search query="a" />);
  rerender(<Search query="ab" />);
  asked[1]?.answer("found ab");
  await screen.findByText("found ab");
  asked[0]?.answer("found a");
  await soon();
  expect(screen.getByText("found ab")).toBeTruthy();
});

it("reads after a change what is asked for by then", async () => {
  const { asked, changed, Search } = createSearch();
  const { rerender } = render(<Search query="a" />);
  await userEvent.click(screen.getByRole("button", { name: "Change" }));
  rerender(<Search query="ab" />);
  changed.resolve();
  await soon();
  expect(asked.map(({ query }) => query)).toEqual(["a", "ab", "ab"]);
});
