import { type MouseEvent, type ReactNode, useState } from "react";
import type { Json } from "../../graph/graph";
import { type ComparedImage, CompareLightbox } from "../../ui/CompareLightbox";
import { addressOf, isOwnAddress } from "./ownAddress";
import type { ReportedRun, RunOutput, RunSuccess, ShownFile } from "./runReport";
import { only, runName, valuesWords, wholeValues } from "./valuesWords";

type ShownRun = RunSuccess | ReportedRun;

/** What runs gave: side by side where there are several, each with what sets it apart; a table where two things do. */
export function RunOutputs({
  runs,
  varied,
  columns,
}: {
  runs: readonly ShownRun[];
  varied?: readonly string[] | undefined;
  columns?: number | undefined;
}): ReactNode {
  const [opened, setOpened] = useState<number>();
  const [first] = runs;
  if (first && runs.length === 1 && !varied) return <Outputs outputs={outputsOf(first)} />;
  const shown = runs.map((run, index) => shownRun(run, index + 1, varied));
  const images = shown.flatMap(imagesOf);
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
    <div className="cass-runs" onClick={open}>
      {columns === undefined ? (
        shown.map((each) => <Run key={each.id} {...each} />)
      ) : (
        <Table runs={shown} columns={columns} />
      )}
      {opened !== undefined && (
        <CompareLightbox images={images} opened={opened} onClose={() => setOpened(undefined)} />
      )}
    </div>
  );
}

interface RunShown {
  id: string;
  run: ShownRun;
  /** What sets it apart. */
  values: Record<string, Json>;
  caption: string;
}

function shownRun(run: ShownRun, number: number, varied: readonly string[] | undefined): RunShown {
  const all = "values" in run ? run.values : {};
  const values = varied ? only(varied, all) : all;
  return { id: JSON.stringify(all), run, values, caption: runName(values, number) };
}

/** A row for each value of what varies first. */
function Table({ runs, columns }: { runs: readonly RunShown[]; columns: number }): ReactNode {
  const rows = Array.from({ length: Math.ceil(runs.length / columns) }, (_, row) =>
    runs.slice(row * columns, (row + 1) * columns),
  );
  return (
    <table className="cass-run-table">
      <thead>
        <tr>
          <td />
          {rows[0]?.map(({ id, values }) => (
            <Head key={id} scope="col" values={Object.entries(values).slice(-1)} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row[0]?.id}>
            <Head scope="row" values={Object.entries(row[0]?.values ?? {}).slice(0, -1)} />
            {row.map((run) => (
              <td key={run.id}>
                <Run {...run} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Head({ scope, values }: { scope: "col" | "row"; values: [string, Json][] }): ReactNode {
  const named = Object.fromEntries(values);
  return (
    <th scope={scope} title={wholeValues(named)}>
      {valuesWords(named)}
    </th>
  );
}

function Run({ run, values, caption }: RunShown): ReactNode {
  return (
    <figure className="cass-run">
      {run.status === "success" ? (
        <Outputs outputs={run.outputs} />
      ) : (
        <p className="cass-run-failure">{run.error}</p>
      )}
      <figcaption title={wholeValues(values)}>{caption}</figcaption>
    </figure>
  );
}

function outputsOf(run: ShownRun): readonly RunOutput[] {
  return run.status === "success" ? run.outputs : [];
}

function imagesOf({ run, caption }: RunShown): ComparedImage[] {
  return outputsOf(run)
    .flatMap(({ files = [] }) => files)
    .map((file) => ({ ...file, src: addressOf(file) }))
    .filter(({ kind, src }) => kind === "image" && isOwnAddress(src))
    .map(({ src, filename }) => ({ src, alt: filename, caption }));
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
