import { useEffect, useState } from "react";
import { z } from "zod";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { Problem } from "../shared/Problem";

const route = "/assistant/trusted-packages";
const reply = z.object({ packages: z.array(z.string()) });

/** Node packages that the assistant runs without asking, to take back. */
export function TrustedPackages({ api }: { api: AssistantApi }) {
  const [packages, setPackages] = useState<readonly string[]>();
  const [failure, setFailure] = useState<ErrorDetails>();
  const load = async (untrusted?: string) => {
    try {
      const response = await (untrusted === undefined
        ? api.send("GET", route)
        : api.send("PUT", route, { packages: [untrusted], trusted: false }));
      setPackages(reply.parse(await response.json()).packages);
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
