import { useEffect, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { trustedPackagesReply, trustedPackagesRoute } from "../shared/trustedPackages";
import { Problem } from "../ui/Problem";

/** Node packages that the assistant runs without asking, to take back. */
export function TrustedPackages({ api }: { api: AssistantApi }) {
  const [packages, setPackages] = useState<readonly string[]>();
  const [failure, setFailure] = useState<ErrorDetails>();
  const load = async (untrusted?: string) => {
    try {
      const response = await (untrusted === undefined
        ? api.send("GET", trustedPackagesRoute)
        : api.send("PUT", trustedPackagesRoute, { packages: [untrusted], trusted: false }));
      setPackages(trustedPackagesReply.parse(await response.json()).packages);
      setFailure(undefined);
    } catch (error) {
      setFailure(detailsOf(error));
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened
  useEffect(() => void load(), [api]);
  return (
    <>
      {packages?.length === 0 && (
        <p className="cass-quiet">
          None yet. Before the assistant runs nodes of a package for the first time, it asks you.
        </p>
      )}
      {packages && packages.length > 0 && (
        <>
          <p className="cass-quiet">The assistant runs their nodes without asking.</p>
          <ul className="cass-trusted">
            {packages.map((name) => (
              <li key={name}>
                <span>{name}</span>
                <button
                  type="button"
                  className="cass-button cass-plain"
                  aria-label={`Ask again about ${name}`}
                  onClick={() => void load(name)}
                >
                  Ask again
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {failure && <Problem details={failure} />}
    </>
  );
}
