import { useCallback, useState } from "react";
import type { ContextApi } from "../api/contextApi";
import { readRequest, readRequests, type SentRequest, type SentRequestSummary } from "../api/sentRequests";
import { amountOf } from "../shared/amounts";
import { timeOfDay } from "../shared/relativeTime";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Fold } from "../ui/Fold";
import { LongText } from "../ui/LongText";
import { Loaded } from "../ui/Page";
import { useResource } from "../ui/useResource";
import { SentMessages } from "./SentMessages";
import { readSentTool } from "./sentMessages";

/** Every request of the thread, newest first, and each exactly as it was sent. */
export function SentPage({ api, threadId }: { api: ContextApi; threadId: string }) {
  const requests = useResource(useCallback(() => readRequests(api.client, threadId), [api, threadId]));
  const [chosen, setChosen] = useState<string>();
  return (
    <Loaded of={requests}>
      {(all) => {
        if (all.length === 0) return <p className="cass-quiet">No request of this chat was kept yet.</p>;
        const newestFirst = all.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
        const shown = chosen ?? newestFirst[0]?.id;
        return (
          <div className="cass-sent">
            <ul className="cass-sent-list" aria-label="Requests">
              {newestFirst.map((request) => (
                <li key={request.id}>
                  <Button
                    look="line"
                    aria-current={request.id === shown || undefined}
                    onClick={() => setChosen(request.id)}
                  >
                    <span>
                      Step {request.step} <small>{timeOfDay(request.createdAt, new Date())}</small>
                    </span>
                    <small>{describeTokens(request)}</small>
                  </Button>
                </li>
              ))}
            </ul>
            {shown !== undefined && (
              <SentRequestView key={shown} api={api} threadId={threadId} requestId={shown} />
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function describeTokens({ inputTokens, cachedInputTokens, estimatedTokens }: SentRequestSummary): string {
  if (inputTokens != null)
    return (
      amountOf(inputTokens, "token") +
      (cachedInputTokens ? `, ${cachedInputTokens.toLocaleString("en")} cached` : "")
    );
  return estimatedTokens == null ? "" : `about ${amountOf(estimatedTokens, "token")}`;
}

function SentRequestView({
  api,
  threadId,
  requestId,
}: {
  api: ContextApi;
  threadId: string;
  requestId: string;
}) {
  const sent = useResource(
    useCallback(() => readRequest(api.client, threadId, requestId), [api, threadId, requestId]),
  );
  return (
    <section className="cass-sent-request" aria-label="The request as it was sent">
      <Loaded of={sent}>{(request) => <WholeRequest request={request} />}</Loaded>
    </section>
  );
}

function WholeRequest({ request }: { request: SentRequest }) {
  const { messages, tools, model } = request;
  return (
    <>
      <header>
        <span>
          {[model, amountOf(messages.length, "message"), amountOf(tools.length, "tool")]
            .filter(Boolean)
            .join(" · ")}
        </span>
        <CopyButton
          label="Copy as JSON"
          text={() => JSON.stringify({ ...(model && { model }), messages, tools }, null, 2)}
        />
      </header>
      {tools.length > 0 && (
        <Fold line={<span>Tools</span>}>
          {tools.map((tool) => {
            const { name, description } = readSentTool(tool);
            const line = (
              <>
                <b>{name}</b>
                <small>{description}</small>
              </>
            );
            return (
              <Fold key={name} line={line}>
                <LongText text={JSON.stringify(tool, null, 2)} label={name} />
              </Fold>
            );
          })}
        </Fold>
      )}
      <SentMessages messages={messages} />
    </>
  );
}
