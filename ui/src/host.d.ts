/** ComfyUI's public shims, served by ComfyUI itself; each importer narrows what it uses. */
declare module "*/scripts/app.js" {
  export const app: unknown;
}
declare module "*/scripts/api.js" {
  export const api: unknown;
}
