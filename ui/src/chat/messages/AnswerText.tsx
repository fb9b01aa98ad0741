import { type TextMessagePartProps, useAuiState } from "@assistant-ui/react";
import { useEffect, useMemo } from "react";
import { useKeyed } from "../../shared/store";
import { useChatEnvironment } from "../chatContext";
import { citedNumbers } from "../markdown/citedNumbers";
import { DocumentsInChat } from "../markdown/documentsInChat";
import { Markdown } from "../markdown/Markdown";
import { useThreadId } from "../threads/useThreadId";

/** What the assistant says; where it cites a document of the chat, that opens there. */
export function AnswerText({ text }: TextMessagePartProps) {
  const { citedDocuments, openDocument } = useChatEnvironment();
  const thread = useThreadId();
  const message = useAuiState(({ message }) => message.id);
  const cited = citedNumbers(text).join();
  useEffect(() => {
    if (thread && cited) citedDocuments.need(thread, message, cited.split(",").map(Number));
  }, [citedDocuments, thread, message, cited]);
  const titles = useKeyed(citedDocuments.titles, thread);
  const documents = useMemo(() => titles && { titles, open: openDocument }, [titles, openDocument]);
  return (
    <DocumentsInChat value={documents}>
      <Markdown text={text} />
    </DocumentsInChat>
  );
}
