// @vitest-environment happy-dom
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { createAssistantApi } from "../api/assistantApi";
import { ModelMenu } from "./ModelMenu";

afterEach(cleanup);

const provider = {
  id: "one",
  name: "One",
  isDefault: true,
  baseUrl: { value: "http://127.0.0.1:1/v1" },
  model: { value: "large" },
};
const replies: Record<string, unknown> = {
  "/assistant/providers": { providers: [provider] },
  "/assistant/providers/one/models": {
    models: Array.from({ length: 9 }, (_, n) => ({ id: `model-${n}`, window: null, price: null })),
  },
};
const api = createAssistantApi(async (route) => Response.json(replies[route] ?? {}));

it("has in its menus what can be chosen and nothing else", async () => {
  render(
    <ModelMenu api={api} threadId={undefined} onChoose={() => {}} onSettings={() => {}} onClose={() => {}} />,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Other models of One" }));
  await screen.findByLabelText("Find a model");
  const menus = screen.getAllByRole("menu");
  expect(menus.map((menu) => within(menu).getAllByRole("menuitemradio").length)).toEqual([1, 9]);
  expect(menus.map((menu) => menu.querySelectorAll(":scope > :not([role=menuitemradio])").length)).toEqual([
    0, 0,
  ]);
});
