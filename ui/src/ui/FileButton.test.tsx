// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { FileButton } from "./FileButton";

afterEach(cleanup);

it("is reached and pressed by the keyboard", async () => {
  render(<FileButton label="Add files" takes="several" onFiles={() => {}} />);
  let openings = 0;
  screen.getByLabelText("Add files").addEventListener("click", () => openings++);
  const user = userEvent.setup();
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Add files" }));
  await user.keyboard("{Enter}");
  expect(openings).toBe(1);
});

it("hands on what was chosen, and takes the same file again", async () => {
  const taken: string[] = [];
  render(
    <FileButton
      label="Import zip"
      accept=".zip"
      onFiles={(files) => taken.push(...files.map(({ name }) => name))}
    />,
  );
  const user = userEvent.setup();
  for (const _ of [1, 2]) await user.upload(screen.getByLabelText("Import zip"), new File(["a"], "a.zip"));
  expect(taken).toEqual(["a.zip", "a.zip"]);
});
