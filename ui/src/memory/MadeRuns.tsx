import { useCallback, useState } from "react";
import { Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { Loaded } from "../ui/Page";
import { Section } from "../ui/Section";
import { useResource } from "../ui/useResource";
import type { MemoryApi, Run, RunFile } from "./memoryApi";

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
  const runs = useResource(useCallback(() => api.runs(query), [api, query]));
  if (!runs.failure && !runs.value?.length) return null;
  return (
    <Section title="Made">
      <Loaded of={runs}>
        {(found) => (
          <ul className="cass-made">
            {found.map((run) => (
              <MadeRun
                key={run.id}
                run={run}
                page={page}
                onOpen={(opener, name) =>
                  void runs.perform(async () => opener.open(await api.workflowOf(run.id), name))
                }
                onDelete={() => void runs.perform(() => api.forgetRun(run.id))}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

interface RunProps {
  run: Run;
  page: RunPage | undefined;
  onOpen(page: RunPage, name: string): void;
  onDelete(): void;
}

function MadeRun({ run, page, onOpen, onDelete }: RunProps) {
  const [isAsking, setAsking] = useState(false);
  const { at, texts, seeds, models, hasWorkflow } = run;
  const [file] = run.files;
  const name = file?.filename.replace(/\.\w+$/, "") ?? "Run";
  return (
    <li>
      {page && file && pictures.test(file.filename) && (
        <a href={page.viewUrl(file)} target="_blank" rel="noreferrer">
          <img src={page.viewUrl(file)} alt={file.filename} loading="lazy" />
        </a>
      )}
      <p title={texts.join("\n\n")}>{texts[0] ?? file?.filename}</p>
      <p className="cass-quiet">
        {[
          new Date(at * 1000).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" }),
          ...(seeds.length > 0 ? [`seed ${seeds.join(", ")}`] : []),
          ...models,
        ].join(" · ")}
      </p>
      {isAsking ? (
        <Confirmation
          question="Delete this note?"
          about="Its prompt and workflow go; the files stay."
          onDelete={onDelete}
          onKeep={() => setAsking(false)}
        />
      ) : (
        <div className="cass-buttons">
          {page && hasWorkflow && <Button onClick={() => onOpen(page, name)}>Open its workflow</Button>}
          <Button look="plain" onClick={() => setAsking(true)}>
            Delete
          </Button>
        </div>
      )}
    </li>
  );
}
