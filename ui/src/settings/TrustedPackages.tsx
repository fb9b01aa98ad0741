import { useCallback } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { trustedPackagesReply, trustedPackagesRoute } from "../shared/trustedPackages";
import { Button } from "../ui/Button";
import { Loaded } from "../ui/Page";
import { Section } from "../ui/Section";
import { useResource } from "../ui/useResource";

/** Node packages that the assistant runs without asking, to take back. */
export function TrustedPackages({ api }: { api: AssistantApi }) {
  const packages = useResource(
    useCallback(async () => {
      const response = await api.send("GET", trustedPackagesRoute);
      return trustedPackagesReply.parse(await response.json()).packages;
    }, [api]),
  );
  const trust = (name: string, trusted: boolean) =>
    api.send("PUT", trustedPackagesRoute, { packages: [name], trusted });
  const askAgain = (name: string) =>
    void packages.perform(
      () => trust(name, false),
      () => ({ label: `You will be asked about ${name} again.`, run: () => trust(name, true) }),
    );
  return (
    <Section title="Trusted packages">
      <Loaded of={packages}>
        {(names) => (
          <>
            <p className="cass-quiet">
              {names.length > 0
                ? "The assistant runs nodes of these packages without asking."
                : "None yet. The assistant asks you before it first runs nodes of a package."}
            </p>
            <ul className="cass-rows">
              {names.map((name) => (
                <li key={name}>
                  <span>{name}</span>
                  <Button look="plain" aria-label={`Ask again about ${name}`} onClick={() => askAgain(name)}>
                    Ask again
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Section>
  );
}
