/** What a person chose to take in, read in the page. The server holds it against all of its limits once more. */

import { RequestError } from "../api/errors";
import type { Parcel } from "./skillsApi";

const mostBytes = 5_800_000;
const mostFiles = 200;

export async function zipParcel(file: File): Promise<Parcel> {
  checkSize(file.size);
  return { name: file.name, zip: await base64(file) };
}

export async function folderParcel(files: readonly File[]): Promise<Parcel> {
  if (files.length > mostFiles) throw tooLarge(`It holds more than ${mostFiles} files.`);
  checkSize(files.reduce((sum, { size }) => sum + size, 0));
  const name = files[0]?.webkitRelativePath.split("/")[0] || files[0]?.name || "";
  const read = files.map(async (file) => ({
    path: file.webkitRelativePath || file.name,
    content: await base64(file),
  }));
  return { name, files: await Promise.all(read) };
}

function checkSize(bytes: number) {
  if (bytes > mostBytes) throw tooLarge(`It has more than ${mostBytes / 1e6} MB.`);
}

function tooLarge(message: string): RequestError {
  return new RequestError({ code: "too_large", message, hint: "Take in fewer files at once." }, 413);
}

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let start = 0; start < bytes.length; start += 32_768)
    binary += String.fromCharCode(...bytes.subarray(start, start + 32_768));
  return btoa(binary);
}
