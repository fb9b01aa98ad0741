import { type Attachment, MessagePrimitive, useAui } from "@assistant-ui/react";
import { useState } from "react";
import { shortAmount } from "../../shared/amounts";
import { IconButton } from "../../ui/IconButton";
import { ImageThumbnail } from "../../ui/ImageThumbnail";
import { CloseIcon, FileIcon } from "../../ui/icons";
import { attachedNote } from "./attachedNote";
import { tokensOfPicture, tokensOfTexts } from "./attachedTokens";
import type { useAttachments } from "./useAttachments";

const baseName = (path: string) => path.split("/").at(-1) ?? path;

type Content = NonNullable<Attachment["content"]>[number];

/** Pictures come along whole; an address that a message names is nothing to load. */
const isPicture = (part: Content): part is Extract<Content, { type: "image" }> =>
  part.type === "image" && part.image.startsWith("data:");

/** In the composer: what will go along, and a way to leave it out. */
export function FilesToSend({ attachments }: Pick<ReturnType<typeof useAttachments>, "attachments">) {
  const aui = useAui();
  if (attachments.length === 0) return null;
  return (
    <ul className="cass-files" aria-label="Attached files">
      {attachments.map(({ id, name, status, content }, index) => (
        <li key={id} className="cass-file" aria-busy={status.type === "running"} title={name}>
          <FileToSend name={name} content={content} />
          <IconButton
            label={`Remove ${baseName(name)}`}
            onClick={() => void aui.thread.composer().attachment({ index }).remove()}
          >
            <CloseIcon />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** With about how much it takes of a request, or why that is nothing. */
function FileToSend({ name, content = [] }: Pick<Attachment, "name" | "content">) {
  const [ofPicture, setOfPicture] = useState(0);
  const picture = content.find(isPicture);
  const tokens = ofPicture + tokensOfTexts(content);
  const note = attachedNote(content);
  return (
    <>
      {picture ? (
        <img
          src={picture.image}
          alt=""
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setOfPicture(tokensOfPicture(naturalWidth, naturalHeight))
          }
        />
      ) : (
        <FileIcon />
      )}
      <span>{baseName(name)}</span>
      {tokens > 0 && (
        <small title="What it takes of each request, about">≈ {shortAmount(tokens)} tokens</small>
      )}
      {note && <small title={note.meaning}>{note.words}</small>}
    </>
  );
}

/** In a message: pictures as they are, other files by name. */
export function FilesOfMessage() {
  return (
    <div className="cass-files">
      <MessagePrimitive.Attachments>
        {({ attachment: { name, content } }) =>
          content.map((part) =>
            isPicture(part) ? (
              <ImageThumbnail key={name} src={part.image} alt={baseName(name)} />
            ) : (
              <span key={name} className="cass-file" title={name}>
                <FileIcon />
                <span>{baseName(name)}</span>
              </span>
            ),
          )
        }
      </MessagePrimitive.Attachments>
    </div>
  );
}
