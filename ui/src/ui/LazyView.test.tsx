import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { createLazyChunk } from "../shared/lazyChunk";
import { LazyView } from "./LazyView";

const Chats = ({ count }: { count: number }) => <p>{count} chats</p>;

async function drawn(fetchView: () => Promise<typeof Chats>) {
  const view = createLazyChunk(fetchView);
  const draw = () => renderToStaticMarkup(<LazyView name="The chats" view={view} props={{ count: 3 }} />);
  const before = draw();
  view.load();
  await new Promise((resolve) => setTimeout(resolve));
  return { before, after: draw() };
}

it("is drawn once it has come", async () => {
  const { before, after } = await drawn(async () => Chats);
  expect(before).toContain("Loading…");
  expect(after).toBe("<p>3 chats</p>");
});

it("says that it could not be loaded, and offers to reload the page", async () => {
  const { after } = await drawn(async () => {
    throw new TypeError("Failed to fetch");
  });
  expect(after).toContain('role="alert"');
  expect(after).toContain("The chats could not be loaded (Failed to fetch).");
  expect(after).toMatch(/Reload the page<\/button>.*Try again<\/button>/);
});
