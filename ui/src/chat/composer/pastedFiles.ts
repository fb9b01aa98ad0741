/**
 * The files that are pasted. Office programs copy cells and paragraphs as text with a picture of them, and text is what is
 * meant then; beside a copied file stands its name, which is never formatted.
 */
export function pastedFiles(clipboard: Pick<DataTransfer, "files" | "getData">): File[] {
  const isFormattedText =
    clipboard.getData("text/html") !== "" && clipboard.getData("text/plain").trim() !== "";
  return isFormattedText ? [] : [...clipboard.files];
}
