import { type Attachment, MessagePrimitive, useAui } from "@assistant-ui/react";
import { IconButton } from "../shared/IconButton";
import { ImageThumbnail } from "../shared/ImageThumbnail";
import { CloseIcon, FileIcon } from "../shared/icons";
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
          <Thumbnail content={content} />
          <span>{baseName(name)}</span>
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

function Thumbnail({ content = [] }: Pick<Attachment, "content">) {
  const picture = content.find(isPicture);
  return picture ? <img src={picture.image} alt="" /> : <FileIcon />;
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
