/** A zip that a person chose to take in, read in the page. The server holds it against all of its limits once more. */

import { RequestError } from "../api/errors";
import type { Parcel } from "./skillsApi";

const mostBytes = 5_800_000;

export async function zipParcel(file: File): Promise<Parcel> {
  if (file.size > mostBytes)
    throw new RequestError(
      {
        code: "too_large",
        message: `It has more than ${mostBytes / 1e6} MB.`,
        hint: "Leave files out of it, or put the skill's folder into the skills folder yourself.",
      },
      413,
    );
  return { name: file.name, zip: await base64(file) };
}

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let start = 0; start < bytes.length; start += 32_768)
    binary += String.fromCharCode(...bytes.subarray(start, start + 32_768));
  return btoa(binary);
}
