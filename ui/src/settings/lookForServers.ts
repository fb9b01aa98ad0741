import type { DiscoveredEndpoint } from "../api/providers";

/** In milliseconds, from one answer to the next question: somebody may be starting a server. */
const BETWEEN_LOOKS = 5000;

/** Asks for the model servers of this machine until one has a model, or until what is returned is called. */
export function lookForServers(
  ask: () => Promise<DiscoveredEndpoint[]>,
  onFound: (servers: DiscoveredEndpoint[]) => void,
): () => void {
  let next: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const look = async () => {
    const found = await ask().catch(() => undefined);
    if (isOver) return;
    if (found) onFound(found);
    if (!found?.some(({ models }) => models.length > 0)) next = setTimeout(look, BETWEEN_LOOKS);
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(next);
  };
}
