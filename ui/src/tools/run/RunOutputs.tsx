import { type MouseEvent, type ReactNode, useState } from "react";
import { type ComparedImage, CompareLightbox } from "../../shared/CompareLightbox";
import { addressOf, isOwnAddress } from "./ownAddress";
import type { ReportedRun, RunOutput, RunSuccess, ShownFile } from "./runReport";
import { valuesWords } from "./valuesWords";

type ShownRun = RunSuccess | ReportedRun;

/** What runs gave: side by side where there are several, each with what sets it apart. */
export function RunOutputs({
  runs,
  columns,
}: {
  runs: readonly ShownRun[];
  columns?: number | undefined;
}): ReactNode {
  const [opened, setOpened] = useState<number>();
  if (runs.length === 1) return runs.map((run) => <Outputs key="run" outputs={outputsOf(run)} />);
  const images = runs.flatMap(imagesOf);
  const open = (event: MouseEvent) => {
    const image = event.target instanceof HTMLImageElement ? event.target : undefined;
    const index = images.findIndex(({ src }) => src === image?.getAttribute("src"));
    if (index < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    setOpened(index);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the links inside are what is clicked
    <div
      className="cass-runs"
      onClick={open}
      style={
        columns
          ? { display: "grid", gridTemplateColumns: `repeat(${columns}, max-content)`, overflowX: "auto" }
          : undefined
      }
    >
      {runs.map((run) => (
        <figure key={caption(run)} className="cass-run">
          {run.status === "success" ? (
            <Outputs outputs={run.outputs} />
          ) : (
            <p className="cass-run-failure">{run.error}</p>
          )}
          <figcaption>{caption(run)}</figcaption>
        </figure>
      ))}
      {opened !== undefined && (
        <CompareLightbox images={images} opened={opened} onClose={() => setOpened(undefined)} />
      )}
    </div>
  );
}

function outputsOf(run: ShownRun): readonly RunOutput[] {
  return run.status === "success" ? run.outputs : [];
}

function imagesOf(run: ShownRun): ComparedImage[] {
  return outputsOf(run)
    .flatMap(({ files = [] }) => files)
    .map((file) => ({ ...file, src: addressOf(file) }))
    .filter(({ kind, src }) => kind === "image" && isOwnAddress(src))
    .map(({ src, filename }) => ({ src, alt: filename, caption: caption(run) }));
}

function caption(run: ShownRun): string {
  return "values" in run ? valuesWords(run.values) : "";
}

function Outputs({ outputs }: { outputs: readonly RunOutput[] }): ReactNode {
  if (outputs.length === 0) return null;
  return (
    <div className="cass-outputs">
      {outputs.map(({ node, files = [], text }) => (
        <div key={node} className="cass-output">
          {files.map((file) => (
            <OutputView key={addressOf(file)} file={file} />
          ))}
          {text !== undefined && <pre className="cass-plain-text cass-output-text">{text}</pre>}
        </div>
      ))}
    </div>
  );
}

function OutputView({ file }: { file: ShownFile }): ReactNode {
  const { kind, filename } = file;
  const url = addressOf(file);
  if (!isOwnAddress(url)) return null;
  switch (kind) {
    case "image":
      return (
        <a href={url} target="_blank" rel="noopener" title={filename}>
          <img className="cass-output-image" src={url} alt={filename} loading="lazy" />
        </a>
      );
    case "video":
      // biome-ignore lint/a11y/useMediaCaption: nothing that a workflow makes has captions
      return <video className="cass-output-image" src={url} title={filename} controls preload="metadata" />;
    case "audio":
      // biome-ignore lint/a11y/useMediaCaption: nothing that a workflow makes has captions
      return <audio className="cass-output-audio" src={url} title={filename} controls preload="metadata" />;
    case "other":
      return (
        <a className="cass-file cass-output-file" href={url} target="_blank" rel="noopener">
          {filename}
        </a>
      );
    default:
      return kind satisfies never;
  }
}
