import { expect, it } from "vitest";
import type { GraphNode, GraphWidget } from "../../graph/graph";
import { widgetNamed } from "./references";

const named = (name: string, more: Partial<GraphWidget> = {}): GraphWidget => ({
  ...{ name, kind: "choice", value: "auto" },
  ...more,
});
const found = (widgets: GraphWidget[], name: string) => widgetNamed({ widgets } as GraphNode, name)?.name;

it("A widget goes by its name, and by the last part of it where that is one", () => {
  expect(found([named("format"), named("format.codec")], "codec")).toBe("format.codec");
  expect(found([named("a.width"), named("b.width")], "width")).toBeUndefined();
});

it("A hidden widget is meant where no other is", () => {
  const hidden = named("codec", { isHidden: true });
  expect(found([hidden, named("format.codec")], "codec")).toBe("format.codec");
  expect(found([hidden, named("format")], "codec")).toBe("codec");
});
