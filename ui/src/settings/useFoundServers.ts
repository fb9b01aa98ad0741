import { useEffect, useState } from "react";
import type { Client } from "../api/client";
import { type DiscoveredEndpoint, discoveredEndpoints } from "../api/providers";

/** In milliseconds, from one answer to the next question: somebody may be starting a server. */
const BETWEEN_LOOKS = 5000;

/** The model servers of this machine, looked for again until one has a model; undefined before, and where `isAsked` is false. */
export function useFoundServers(client: Client, isAsked: boolean): DiscoveredEndpoint[] | undefined {
  const [servers, setServers] = useState<DiscoveredEndpoint[]>();
  useEffect(() => {
    if (!isAsked) return;
    let next: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async () => {
      const found = await discoveredEndpoints(client).catch(() => undefined);
      if (isOver) return;
      if (found) setServers(found);
      if (!found?.some(({ models }) => models.length > 0)) next = setTimeout(look, BETWEEN_LOOKS);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(next);
    };
  }, [client, isAsked]);
  return servers;
}
