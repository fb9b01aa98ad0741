/** Picture files with texts in them and no picture, as small as they can be: for tests. */

const encoded = (text: string) => new TextEncoder().encode(text);

export function pngOf(texts: Readonly<Record<string, string>>): Uint8Array {
  const chunks = Object.entries(texts).map(([name, text]) => encoded(`${name}\0${text}`));
  return joined(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunks.flatMap((chunk) => [number(chunk.length, 4), encoded("tEXt"), chunk, [0, 0, 0, 0]]),
  );
}

export function webpOf(fields: readonly string[], isLittle = true): Uint8Array {
  const texts = fields.map((field) => encoded(`${field}\0`));
  const directoryLength = 2 + 12 * fields.length + 4;
  let end = 8 + directoryLength;
  const entries = texts.flatMap((text, index) => {
    const start = end;
    end += text.length;
    return [
      number(0x0110 - index, 2, isLittle),
      number(2, 2, isLittle),
      number(text.length, 4, isLittle),
      number(start, 4, isLittle),
    ];
  });
  const tiff = joined(
    encoded(isLittle ? "II" : "MM"),
    number(42, 2, isLittle),
    number(8, 4, isLittle),
    number(fields.length, 2, isLittle),
    ...entries,
    [0, 0, 0, 0],
    ...texts,
  );
  const chunks = joined(
    encoded("VP8 "),
    number(1, 4, true),
    [0, 0],
    encoded("EXIF"),
    number(tiff.length, 4, true),
    tiff,
  );
  return joined(encoded("RIFF"), number(chunks.length + 4, 4, true), encoded("WEBP"), chunks);
}

function number(value: number, bytes: number, isLittle = false): number[] {
  const digits = Array.from({ length: bytes }, (_, index) => (value >>> (8 * index)) & 255);
  return isLittle ? digits : digits.reverse();
}

function joined(...pieces: readonly ArrayLike<number>[]): Uint8Array {
  return new Uint8Array(pieces.flatMap((piece) => Array.from(piece)));
}
