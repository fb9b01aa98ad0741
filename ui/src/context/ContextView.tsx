import { useCallback } from "react";
import type { ContextApi } from "../api/contextApi";
import type { ContextReport } from "../api/contextReplies";
import { addStyles } from "../ui/addStyles";
import { Loaded } from "../ui/Page";
import { useResource } from "../ui/useResource";
import { CondensedPage } from "./CondensedPage";
import styles from "./context.css?inline";
import { GoalsPage } from "./GoalsPage";
import { OptionsPage } from "./OptionsPage";
import type { ContextPage } from "./pages";
import { SentPage } from "./SentPage";
import { TasksPage } from "./TasksPage";
import { WindowPage } from "./WindowPage";

addStyles(styles);

interface Props {
  api: ContextApi;
  /** Undefined for a chat in which nothing was said. */
  threadId: string | undefined;
  page: ContextPage;
  /** The newest report, from the answer that is being written. */
  latest: ContextReport | undefined;
  /** Have the server condense the thread, or begin afresh. */
  onCompact(): void;
  onClear(): void;
}

/** What the model is sent of a thread, and what became of the rest. */
export function ContextView({ page, ...rest }: Props) {
  if (page === "options") return <OptionsPage api={rest.api} />;
  if (rest.threadId === undefined)
    return <p className="cass-quiet">Nothing was said in this chat yet, so there is nothing to show.</p>;
  return <ThreadContextView page={page} {...rest} threadId={rest.threadId} />;
}

function ThreadContextView({
  api,
  threadId,
  page,
  latest,
  onCompact,
  onClear,
}: Props & { threadId: string }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer report is a reason to read everything again
  const read = useResource(useCallback(() => api.read(threadId), [api, threadId, latest]));
  switch (page) {
    case "sent":
      return <SentPage api={api} threadId={threadId} />;
    case "tasks":
      return <TasksPage api={api} threadId={threadId} />;
    default:
      return (
        <Loaded of={read}>
          {(context) => {
            if (page === "condensed") return <CondensedPage compactions={context.compactions} />;
            if (page === "goals")
              return <GoalsPage api={api} threadId={threadId} context={context} perform={read.perform} />;
            return (
              <WindowPage
                context={context}
                onCompact={onCompact}
                onClear={onClear}
                onForgetWindow={() => void read.perform(() => api.forget("window"))}
              />
            );
          }}
        </Loaded>
      );
  }
}
