import { useCallback, useState } from "react";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { Problem } from "../ui/Problem";
import type { MemoryApi, Run, RunFile } from "./memoryApi";
import { useFound } from "./useFound";

/** What shows files of runs, and opens their workflows. */
export interface RunPage {
  viewUrl(file: RunFile): string;
  open(workflow: object, name: string): Promise<void>;
}

interface Props {
  query: string;
  api: MemoryApi;
  /** Undefined until the access to ComfyUI's page has loaded. */
  page: RunPage | undefined;
}

const pictures = /\.(png|jpe?g|webp|gif)$/i;

/** What was made: its picture, its prompt, and its workflow to be opened. */
export function MadeRuns({ query, api, page }: Props) {
  const [failure, setFailure] = useState<ErrorDetails>();
  const perform = useCallback(async (work: Promise<unknown>) => {
    try {
      await work;
      setFailure(undefined);
    } catch (error) {
      setFailure(detailsOf(error));
    }
  }, []);
  const { found: runs = [], read } = useFound(query, api.runs, perform);
  async function open({ id, files: [file] }: Run) {
    await page?.open(await api.workflowOf(id), file?.filename.replace(/\.\w+$/, "") ?? "Run");
  }
  async function forget({ id }: Run) {
    await api.forgetRun(id);
    await read();
  }
  if (runs.length === 0 && !failure) return null;
  return (
    <section aria-label="Made">
      <h3>Made</h3>
      {failure && <Problem details={failure} />}
      <ul className="cass-made">
        {runs.map((run) => {
          const [file] = run.files;
          const isPicture = file && pictures.test(file.filename);
          return (
            <li key={run.id}>
              {page && isPicture && (
                <a href={page.viewUrl(file)} target="_blank" rel="noreferrer">
                  <img src={page.viewUrl(file)} alt={file.filename} loading="lazy" />
                </a>
              )}
              <p title={run.texts.join("\n\n")}>{run.texts[0] ?? file?.filename}</p>
              <p className="cass-quiet">
                {[
                  new Date(run.at * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }),
                  ...(run.seeds.length > 0 ? [`seed ${run.seeds.join(", ")}`] : []),
                  ...run.models,
                ].join(" · ")}
              </p>
              <div className="cass-buttons">
                {page && run.hasWorkflow && (
                  <button type="button" className="cass-button" onClick={() => void perform(open(run))}>
                    Open its workflow
                  </button>
                )}
                <button
                  type="button"
                  className="cass-button cass-plain"
                  onClick={() => void perform(forget(run))}
                >
                  Forget
                </button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
