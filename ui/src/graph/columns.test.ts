import { describe, expect, it } from "vitest";
import { type Box, inColumns, type Spacing } from "./columns";

interface Named extends Box {
  name: string;
}

const spacing = { columnGap: 80, rowGap: 40, widest: Number.POSITIVE_INFINITY };

/** Blocks by their heights, in the order in which they stand; `wires` lead from the first name to the second. */
function laidOut(heights: Readonly<Record<string, number>>, wires: string, more: Partial<Spacing> = {}) {
  const blocks = Object.entries(heights).map(
    ([name, height], index): Named => ({ name, height, width: 300, top: index * 1000 }),
  );
  const named = (name: string | undefined) => blocks.find((block) => block.name === name) as Named;
  const sources = new Map<Named, Set<Named>>();
  for (const wire of wires.split(" ")) {
    const [source, target] = wire.split(">").map(named) as [Named, Named];
    sources.set(target, (sources.get(target) ?? new Set()).add(source));
  }
  const { places, height } = inColumns(blocks, sources, { ...spacing, ...more });
  const at = (name: string) => places.get(named(name)) ?? { x: Number.NaN, y: Number.NaN };
  return { at, height };
}

describe("laying out in columns", () => {
  it("makes rows of branches that share a loader", () => {
    const { at, height } = laidOut(
      { loader: 130, text1: 200, text2: 200, sampler1: 500, sampler2: 500, decode1: 80, decode2: 80 },
      [
        "loader>text1 loader>text2 loader>sampler1 loader>sampler2 loader>decode1 loader>decode2",
        "text1>sampler1 text2>sampler2 sampler1>decode1 sampler2>decode2",
      ].join(" "),
    );
    const rows = ["1", "2"].map((branch) =>
      ["text", "sampler", "decode"].map((name) => at(`${name}${branch}`).y),
    );
    expect(rows).toEqual([
      [0, 0, 0],
      [540, 540, 540],
    ]);
    expect(height).toBe(1040);
  });

  it("puts what feeds one node alone right before it, and below what is fed itself", () => {
    const { at } = laidOut(
      { vae: 80, model: 130, text: 200, sampler: 500, decode: 80 },
      "model>text text>sampler sampler>decode vae>decode",
    );
    expect(at("vae").x).toBe(at("sampler").x);
    expect(at("vae").y).toBe(540);
  });

  const chain = () => ({ loader: 130, sampler: 500, decode: 80, save: 300 });
  const wires = "loader>sampler sampler>decode decode>save";

  it("makes one column of neighbours where there is no room, the lowest together first", () => {
    const { at } = laidOut(chain(), wires, { widest: 1200 });
    expect(["loader", "sampler", "decode", "save"].map((name) => at(name).x)).toEqual([0, 380, 760, 760]);
    expect(at("save").y).toBe(at("decode").y + 120);
  });

  it("puts what feeds a block of its own column above it", () => {
    const { at } = laidOut(chain(), wires, { widest: 300 });
    expect(["loader", "sampler", "decode", "save"].map((name) => at(name))).toEqual(
      [0, 170, 710, 830].map((y) => ({ x: 0, y })),
    );
  });
});
