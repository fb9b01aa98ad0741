import { z } from "zod";
import { parseJson } from "../shared/json";

/** What a person needs to know about a failure; the same shape in error replies and in `data-error` parts. */
export const errorDetails = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  retryable: z.boolean().optional(),
});

export type ErrorDetails = z.infer<typeof errorDetails>;

const errorReply = z.object({ error: errorDetails });

/** A request to the extension that failed before it gave an answer. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly details: ErrorDetails;
  /** HTTP status, or 0 when ComfyUI did not answer at all. */
  readonly status: number;

  constructor(details: ErrorDetails, status: number) {
    super(details.message);
    this.details = details;
    this.status = status;
  }
}

export function unreachable(): RequestError {
  return new RequestError(
    {
      code: "comfyui_unreachable",
      message: "ComfyUI did not answer.",
      hint: "Check that ComfyUI is still running, then try again.",
      retryable: true,
    },
    0,
  );
}

/** Of a response that the server does not have any more: it is over, or ComfyUI was started anew. */
export function responseGone(status: number): RequestError {
  return new RequestError(
    {
      code: "response_gone",
      message: "The answer that ran in this chat is over.",
      hint: "Open the chat again to see it.",
    },
    status,
  );
}

/** The error that a reply with a status of 400 or above stands for, whatever its body is. */
export function errorFromReply(status: number, body: string): RequestError {
  const known = errorReply.safeParse(parseJson(body));
  if (known.success) return new RequestError(known.data.error, status);
  if (status === 404)
    return new RequestError(
      {
        code: "not_installed",
        message: "ComfyUI answered, but the assistant's server part is not there (404).",
        hint: "Look for “comfyui_assistant” in ComfyUI's log, fix what it names, and restart ComfyUI.",
      },
      status,
    );
  if (status === 413)
    return new RequestError(
      {
        code: "too_large",
        message: "The message is larger than ComfyUI accepts (413).",
        hint: "Send less text at once, or start a new chat.",
      },
      status,
    );
  return new RequestError(
    {
      code: `http_${status}`,
      message: `ComfyUI answered with status ${status}${body.trim() ? `: ${firstLine(body)}` : "."}`,
      hint: "ComfyUI's log says more about it.",
      retryable: status >= 500,
    },
    status,
  );
}

/** What to show for anything that was thrown. */
export function detailsOf(error: unknown): ErrorDetails {
  if (error instanceof RequestError) return error.details;
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message))
    return {
      code: "connection_lost",
      message: "The connection to ComfyUI broke before the answer was complete.",
      hint: "Check that ComfyUI is still running, then retry.",
      retryable: true,
    };
  return {
    code: "unexpected",
    message: error instanceof Error && error.message ? error.message : "Something unexpected went wrong.",
    hint: "Retry; if it happens again, the browser's console says more.",
    retryable: true,
  };
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
