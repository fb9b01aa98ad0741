import { AssistantChatTransport } from "@assistant-ui/react-ai-sdk";
import type { UIMessage, UIMessageChunk } from "ai";
import { underCustom } from "./answerMetadata";

/** assistant-ui's transport, with the server's metadata where assistant-ui expects an application's. */
export class ChatTransport extends AssistantChatTransport<UIMessage> {
  protected override processResponseStream(body: ReadableStream<Uint8Array<ArrayBufferLike>>) {
    return super.processResponseStream(body).pipeThrough(
      new TransformStream<UIMessageChunk, UIMessageChunk>({
        transform(chunk, controller) {
          controller.enqueue(
            "messageMetadata" in chunk && chunk.messageMetadata !== undefined
              ? { ...chunk, messageMetadata: underCustom(chunk.messageMetadata) }
              : chunk,
          );
        },
      }),
    );
  }
}
