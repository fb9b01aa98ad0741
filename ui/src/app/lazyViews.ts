/** The views that an open chat does not need; each lies in a chunk of its own. */

import { createLazyChunk } from "../shared/lazyChunk";

export const chatList = createLazyChunk(async () => (await import("../chat/threads/ChatList")).ChatList);
export const settingsPage = createLazyChunk(
  async () => (await import("../settings/SettingsPage")).SettingsPage,
);
export const modelMenu = createLazyChunk(async () => (await import("../settings/ModelMenu")).ModelMenu);
export const skillsPage = createLazyChunk(async () => (await import("../skills/SkillsPage")).SkillsPage);
export const youPage = createLazyChunk(async () => (await import("../you/YouPage")).YouPage);
export const firstRun = createLazyChunk(async () => (await import("../you/FirstRun")).FirstRun);
export const memoryPage = createLazyChunk(async () => (await import("../memory/MemoryPage")).MemoryPage);
export const filesPage = createLazyChunk(async () => (await import("../files/FilesPage")).FilesPage);
export const documentView = createLazyChunk(async () => (await import("../files/DocumentView")).DocumentView);
export const helpCard = createLazyChunk(async () => (await import("./HelpCard")).HelpCard);
export const costsPage = createLazyChunk(async () => (await import("../costs/CostsPage")).CostsPage);
export const providerForm = createLazyChunk(
  async () => (await import("../settings/ProviderForm")).ProviderForm,
);
export const contextView = createLazyChunk(async () => (await import("../context/ContextView")).ContextView);
