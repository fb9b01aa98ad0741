import { useEffect, useState } from "react";
import type { Client } from "../api/client";
import { type DiscoveredEndpoint, discoveredEndpoints } from "../api/providers";
import { lookForServers } from "./lookForServers";

/** The model servers of this machine, looked for again until one has a model; undefined before, and where `isAsked` is false. */
export function useFoundServers(client: Client, isAsked: boolean): DiscoveredEndpoint[] | undefined {
  const [servers, setServers] = useState<DiscoveredEndpoint[]>();
  useEffect(
    () => (isAsked ? lookForServers(() => discoveredEndpoints(client), setServers) : undefined),
    [client, isAsked],
  );
  return isAsked ? servers : undefined;
}
