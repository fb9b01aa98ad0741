import { useId } from "react";
import type { ContextApi } from "../api/contextApi";
import { useThreadId } from "../chat/threads/useThreadId";
import { ContextView } from "../context/ContextView";
import { type ContextPage, contextPages } from "../context/pages";
import { useKeyed } from "../shared/store";
import { Tabs } from "../ui/Tabs";
import { CoveringView } from "./CoveringView";
import type { ThreadAction } from "./threadActions";
import type { ThreadContexts } from "./threadContexts";

interface Props {
  api: ContextApi;
  contexts: ThreadContexts;
  page: ContextPage;
  onPage(page: ContextPage): void;
  perform(action: ThreadAction): void;
  onClose(): void;
}

/** The context view over the open thread; what it condenses is told above the composer. */
export function OpenThreadContext({ api, contexts, page, onPage, perform, onClose }: Props) {
  const threadId = useThreadId();
  const latest = useKeyed(contexts.reports, threadId);
  const pageId = useId();
  const act = (action: ThreadAction) => {
    onClose();
    perform(action);
  };
  return (
    <CoveringView
      title="Context"
      tools={<Tabs label="Context" tabs={contextPages} selected={page} controls={pageId} onSelect={onPage} />}
      onClose={onClose}
    >
      <div className="cass-page" id={pageId} role="tabpanel" tabIndex={-1}>
        <ContextView
          api={api}
          threadId={threadId}
          page={page}
          latest={latest}
          onCompact={() => act({ kind: "compact", focus: "" })}
          onClear={() => act({ kind: "clear" })}
        />
      </div>
    </CoveringView>
  );
}
