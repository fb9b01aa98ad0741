/** What the pages of one browser tell each other of a thread. */
export interface ThreadNews {
  thread: string;
  /** A response has begun, the turn is over, or a person stops it. */
  what: "begun" | "over" | "stop";
}

/** A page makes a call of a tool; where `note` is there, another one could go on with it. */
export interface CallNews {
  call: string;
  note: unknown;
}

export type News = ThreadNews | CallNews;

export interface OtherPages {
  tell(news: News): void;
  /** Returns what ends it. */
  hear(listener: (news: News) => void): () => void;
}

export function createOtherPages(): OtherPages {
  const channel = new BroadcastChannel("comfyui-assistant.threads");
  return {
    tell: (news) => channel.postMessage(news),
    hear(listener) {
      const onMessage = ({ data }: MessageEvent<News>) => listener(data);
      channel.addEventListener("message", onMessage);
      return () => channel.removeEventListener("message", onMessage);
    },
  };
}
