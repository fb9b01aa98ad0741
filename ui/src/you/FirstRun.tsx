import { type ReactNode, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { addStyles } from "../ui/addStyles";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { Problem } from "../ui/Problem";
import { type Answers, experiences, nothingSaid, tell, things, tones } from "./answers";
import styles from "./you.css?inline";
import { createYouApi } from "./youApi";

addStyles(styles);

interface Props {
  api: AssistantApi;
  /** It was gone through, or the person wants none of it. */
  onOver(): void;
}

/** Two screens about the person; each question may be left open, and all of it be skipped. */
export function FirstRun({ api, onOver }: Props) {
  const [answers, setAnswers] = useState<Answers>(nothingSaid);
  const [page, setPage] = useState<1 | 2>(1);
  const [failure, setFailure] = useState<ErrorDetails>();
  async function end(isTold: boolean) {
    try {
      if (isTold) await tell(createYouApi(api), answers);
      await api.send("DELETE", "/assistant/first-run");
      onOver();
    } catch (error) {
      setFailure(detailsOf(error));
    }
  }
  const set = (change: Partial<Answers>) => setAnswers({ ...answers, ...change });
  return (
    <section className="cass-first-run" aria-label="About you">
      {page === 1 ? (
        <>
          <Field
            label="In which language shall I answer? If you leave it open, in yours."
            placeholder="English, 中文, Deutsch …"
            value={answers.language}
            onValue={(text) => set({ language: text.slice(0, 40) })}
          />
          <Choices label="And how?">
            {Object.keys(tones).map((tone) => (
              <Choice
                key={tone}
                label={tone}
                isOn={answers.tone === tone}
                onTurn={(isOn) => set({ tone: isOn ? tone : "" })}
              />
            ))}
          </Choices>
        </>
      ) : (
        <>
          <Choices label="What do you make?">
            {things.map((thing) => (
              <Choice
                key={thing}
                label={thing}
                isOn={answers.makes.includes(thing)}
                onTurn={(isOn) =>
                  set({
                    makes: things.filter((each) => (each === thing ? isOn : answers.makes.includes(each))),
                  })
                }
              />
            ))}
          </Choices>
          <Choices label="And how well do you know ComfyUI?">
            {Object.keys(experiences).map((experience) => (
              <Choice
                key={experience}
                label={experience}
                isOn={answers.experience === experience}
                onTurn={(isOn) => set({ experience: isOn ? experience : "" })}
              />
            ))}
          </Choices>
        </>
      )}
      {failure && <Problem details={failure} />}
      <div className="cass-buttons">
        {page === 1 ? (
          <Button look="primary" onClick={() => setPage(2)}>
            Next
          </Button>
        ) : (
          <>
            <Button look="primary" onClick={() => void end(true)}>
              Done
            </Button>
            <Button look="plain" onClick={() => setPage(1)}>
              Back
            </Button>
          </>
        )}
        <Button look="plain" onClick={() => void end(false)}>
          Skip
        </Button>
        <small className="cass-quiet">{page} of 2. /you shows and changes it later.</small>
      </div>
    </section>
  );
}

function Choices({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className="cass-choices">
      <legend>{label}</legend>
      <div className="cass-buttons">{children}</div>
    </fieldset>
  );
}

function Choice({ label, isOn, onTurn }: { label: string; isOn: boolean; onTurn(isOn: boolean): void }) {
  return (
    <Button look="chip" aria-pressed={isOn} onClick={() => onTurn(!isOn)}>
      {label}
    </Button>
  );
}
