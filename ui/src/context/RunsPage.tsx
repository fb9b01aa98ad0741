import { useCallback } from "react";
import type { ContextApi } from "../api/contextApi";
import { Fold } from "../shared/Fold";
import { LongText } from "../shared/LongText";
import { describeRun, type RunNode, runTree } from "./runTree";
import { SentMessages } from "./SentMessages";
import { useLoaded, WhenLoaded } from "./useLoaded";

/** Tasks that the assistant gave to a model with a context of its own, as a tree. */
export function RunsPage({ api, threadId }: { api: ContextApi; threadId: string }) {
  const loading = useLoaded(useCallback(() => api.runs(threadId), [api, threadId]));
  return (
    <WhenLoaded loading={loading}>
      {(runs) =>
        runs.length === 0 ? (
          <p className="cass-quiet">The assistant has not delegated a task in this chat.</p>
        ) : (
          <Runs nodes={runTree(runs)} />
        )
      }
    </WhenLoaded>
  );
}

function Runs({ nodes }: { nodes: readonly RunNode[] }) {
  return (
    <ul className="cass-list cass-tasks">
      {nodes.map(({ run, children }) => (
        <li key={run.id}>
          <Fold
            line={
              <>
                <span>{run.task}</span>
                <small data-status={run.status}>{describeRun(run)}</small>
              </>
            }
          >
            {run.result !== undefined && run.result !== null && (
              <LongText label="Result" text={textOf(run.result)} />
            )}
            {run.messages && <SentMessages messages={run.messages} />}
          </Fold>
          {children.length > 0 && <Runs nodes={children} />}
        </li>
      ))}
    </ul>
  );
}

function textOf(result: unknown): string {
  return typeof result === "string" ? result : JSON.stringify(result, null, 2);
}
