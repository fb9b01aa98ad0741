import type { DiscoveredEndpoint } from "../api/providers";
import { Button } from "../ui/Button";

interface Props {
  /** Undefined until somebody has looked. */
  servers: readonly DiscoveredEndpoint[] | undefined;
  /** The address in the form. */
  baseUrl: string;
  onChoose(server: DiscoveredEndpoint): void;
}

/** The model servers of this machine to choose from, or how to come by one. */
export function FoundServers({ servers, baseUrl, onChoose }: Props) {
  if (!servers) return null;
  if (servers.length === 0)
    return (
      <p className="cass-quiet">
        No model server answers on this machine yet. A free one:{" "}
        <a href="https://ollama.com/download" target="_blank" rel="noreferrer">
          Ollama
        </a>{" "}
        with <code>ollama pull qwen3</code>. It is offered here once it runs.
      </p>
    );
  return (
    <div className="cass-buttons">
      <span className="cass-quiet">Running on this machine:</span>
      {servers.map((server) => (
        <Button
          key={server.baseUrl}
          look="chip"
          title={server.baseUrl}
          aria-pressed={server.baseUrl === baseUrl}
          onClick={() => onChoose(server)}
        >
          {server.label}
          <small>{modelsOf(server)}</small>
        </Button>
      ))}
    </div>
  );
}

function modelsOf({ models }: DiscoveredEndpoint): string {
  if (models.length === 0) return "no model yet";
  return models.length === 1 ? (models[0] ?? "") : `${models.length} models`;
}
