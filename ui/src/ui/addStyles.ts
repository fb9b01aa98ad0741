/** Adds the stylesheet of a part that is loaded when it is first needed; it calls this once, as its module is read. */
export function addStyles(text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}
