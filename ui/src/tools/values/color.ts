/** Colors as people write them: `red`, `#f00`, `#ff0000`, `0xff0000`, `rgb(255, 0, 0)`. */

const named: Readonly<Record<string, number>> = {
  black: 0x000000,
  white: 0xffffff,
  red: 0xff0000,
  lime: 0x00ff00,
  green: 0x008000,
  blue: 0x0000ff,
  yellow: 0xffff00,
  cyan: 0x00ffff,
  aqua: 0x00ffff,
  magenta: 0xff00ff,
  fuchsia: 0xff00ff,
  gray: 0x808080,
  grey: 0x808080,
  silver: 0xc0c0c0,
  maroon: 0x800000,
  olive: 0x808000,
  purple: 0x800080,
  teal: 0x008080,
  navy: 0x000080,
  orange: 0xffa500,
  pink: 0xffc0cb,
  brown: 0xa52a2a,
  gold: 0xffd700,
  beige: 0xf5f5dc,
  ivory: 0xfffff0,
  coral: 0xff7f50,
  salmon: 0xfa8072,
  tomato: 0xff6347,
  crimson: 0xdc143c,
  indigo: 0x4b0082,
  violet: 0xee82ee,
  orchid: 0xda70d6,
  lavender: 0xe6e6fa,
  turquoise: 0x40e0d0,
  khaki: 0xf0e68c,
  tan: 0xd2b48c,
  chocolate: 0xd2691e,
  skyblue: 0x87ceeb,
  lightblue: 0xadd8e6,
  darkblue: 0x00008b,
  royalblue: 0x4169e1,
  lightgreen: 0x90ee90,
  darkgreen: 0x006400,
  lightgray: 0xd3d3d3,
  lightgrey: 0xd3d3d3,
  darkgray: 0xa9a9a9,
  darkgrey: 0xa9a9a9,
  darkred: 0x8b0000,
  lightyellow: 0xffffe0,
  hotpink: 0xff69b4,
};

/** As 0xrrggbb; undefined where it is no color. */
export function colorNumber(text: string): number | undefined {
  const plain = text.trim().toLowerCase().replaceAll(" ", "");
  const digits = /^(?:#|0x)([0-9a-f]{6})$/.exec(plain)?.[1];
  if (digits) return Number.parseInt(digits, 16);
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(plain);
  if (short)
    return Number.parseInt(
      short
        .slice(1)
        .map((digit) => digit + digit)
        .join(""),
      16,
    );
  const parts = /^rgb\((\d{1,3}),(\d{1,3}),(\d{1,3})\)$/.exec(plain)?.slice(1).map(Number);
  if (parts?.every((part) => part <= 255)) return parts.reduce((sum, part) => sum * 256 + part, 0);
  return Object.hasOwn(named, plain) ? named[plain] : undefined;
}

export function colorText(color: number): string {
  return `#${color.toString(16).padStart(6, "0")}`;
}
