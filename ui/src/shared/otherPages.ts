/** What the pages of one browser tell each other of a thread. */
export interface ThreadNews {
  thread: string;
  /** A response has begun, the turn is over, or a person stops it. */
  what: "begun" | "over" | "stop";
}

export interface OtherPages {
  tell(news: ThreadNews): void;
  /** Returns what ends it. */
  hear(listener: (news: ThreadNews) => void): () => void;
}

export function createOtherPages(): OtherPages {
  const channel = new BroadcastChannel("comfyui-assistant.threads");
  return {
    tell: (news) => channel.postMessage(news),
    hear(listener) {
      const onMessage = ({ data }: MessageEvent<ThreadNews>) => listener(data);
      channel.addEventListener("message", onMessage);
      return () => channel.removeEventListener("message", onMessage);
    },
  };
}
