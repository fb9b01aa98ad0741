import { expect, it } from "vitest";
import { isOwnAddress } from "./ownAddress";

it.each([
  "/view?filename=a.png",
  "/api/view?filename=a%20b.png&type=output",
  "/comfy/api/view?filename=ä.png",
])("loads %s", (url) => expect(isOwnAddress(url)).toBe(true));

it.each([
  ...[
    "//evil.test/x.png",
    "/\\evil.test/x",
    "/\t/evil.test/x",
    "/\n/evil.test/x",
    "/\r\\evil.test",
    "\\\\evil.test/x",
  ],
  ...[
    "http://evil.test/x",
    "javascript:alert(1)",
    "data:image/png;base64,AA==",
    "//[",
    "",
    "x.png",
    " /x.png",
  ],
])("does not load %j", (url) => expect(isOwnAddress(url)).toBe(false));
