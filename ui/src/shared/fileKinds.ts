/** What a file is, by the ending of its name. */

export type FileKind = "image" | "video" | "audio" | "other";

const kinds = new Map<string, FileKind>(
  (
    [
      ["image", "png jpg jpeg webp gif avif bmp svg"],
      ["video", "mp4 webm mov mkv avi m4v"],
      ["audio", "mp3 wav flac ogg opus m4a aac"],
    ] as const
  ).flatMap(([kind, endings]) => endings.split(" ").map((ending) => [ending, kind] as const)),
);

export function fileKind(name: string): FileKind {
  return kinds.get(name.split(".").at(-1)?.toLowerCase() ?? "") ?? "other";
}
