// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { unreachable } from "../api/errors";
import { PressOnce } from "./PressOnce";

afterEach(cleanup);

it("says why it did not work and what to do, and can be pressed again", async () => {
  let tries = 0;
  const run = async () => {
    tries += 1;
    if (tries === 1) throw unreachable();
  };
  render(<PressOnce label="Free" done="It is free." run={run} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Free" }));
  expect(screen.getByRole("alert").textContent).toBe(
    "ComfyUI did not answer. Check that ComfyUI is still running, then try again.Try again",
  );
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(screen.getByText("It is free.")).toBeTruthy();
});
