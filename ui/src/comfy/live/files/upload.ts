import type { StoredFile } from "../../bridge";
import type { Page } from "../page";
import { offerUpload } from "./offerUpload";

/** As ComfyUI's own file buttons do it: a file of the same name and content is kept, another gets a number. */
export async function uploadFile(page: Page, file: File): Promise<StoredFile> {
  const body = new FormData();
  body.append("image", file);
  const response = await page.api.fetchApi("/upload/image", { method: "POST", body });
  if (!response.ok)
    throw new Error(
      response.status === 413
        ? `${file.name} is larger than ComfyUI accepts.`
        : `ComfyUI did not take ${file.name} (${response.status}).`,
    );
  const { name, subfolder = "", type = "input" } = await response.json();
  offerUpload(page, file.type.split("/")[0] ?? "", subfolder ? `${subfolder}/${name}` : name);
  return { filename: name, subfolder, type };
}
