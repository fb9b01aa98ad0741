/** The views that an open chat does not need; each lies in a chunk of its own. */

import { createLazyPart } from "../shared/lazyPart";

export const chatList = createLazyPart(async () => (await import("../chat/ChatList")).ChatList);
export const providerForm = createLazyPart(
  async () => (await import("../settings/ProviderForm")).ProviderForm,
);
export const contextView = createLazyPart(async () => (await import("../context/ContextView")).ContextView);
