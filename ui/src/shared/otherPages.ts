/** What the pages of one browser tell each other of a thread. */
export interface ThreadNews {
  thread: string;
  /** A response has begun, the turn is over, or a person stops it. */
  what: "begun" | "over" | "stop";
  /** Of a stop, the message of the turn that is meant, where one is. */
  answer?: string | undefined;
}

/** A page makes a call of a tool; where `note` is there, another one could go on with it. */
export interface CallNews {
  call: string;
  note: unknown;
}

export type News = ThreadNews | CallNews;

export interface OtherPages {
  tell(news: News): void;
  /** News that came otherwise, such as from another browser. */
  pass(news: News): void;
  /** Returns what ends it. */
  hear(listener: (news: News) => void): () => void;
}

export function createOtherPages(): OtherPages {
  const channel = new BroadcastChannel("comfyui-assistant.threads");
  const listeners = new Set<(news: News) => void>();
  const pass = (news: News) => {
    for (const listener of listeners) listener(news);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<News>) => pass(data));
  return {
    tell: (news) => channel.postMessage(news),
    pass,
    hear(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
