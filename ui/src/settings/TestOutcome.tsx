import { useEffect, useRef } from "react";
import type { ConnectionTest } from "../api/providers";
import { amountOf } from "../shared/amounts";
import { Button } from "../ui/Button";
import { CheckIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";
import { Problem } from "../ui/Problem";
import { modelWords } from "./modelWords";

/** Beyond this, one button per model is no help. */
const MANY = 16;

interface Props {
  result: ConnectionTest;
  /** The one that is entered. */
  model: string;
  isModelLocked: boolean;
  onMeant(baseUrl: string): void;
  onModel(model: string): void;
}

/** What a provider's server has answered, and which models it has. */
export function TestOutcome({ result, model, isModelLocked, onMeant, onModel }: Props) {
  const outcome = useRef<HTMLDivElement>(null);
  // In a low panel it lies below the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each answer
  useEffect(() => void outcome.current?.scrollIntoView({ block: "nearest" }), [result]);
  return (
    <div className="cass-form" ref={outcome}>
      <TestResult result={result} onMeant={onMeant} />
      {result.ok && !isModelLocked && (
        <fieldset className="cass-buttons" aria-label="Models of this endpoint">
          {result.models.length > MANY && (
            <span className="cass-quiet">Type in the model field to find one of {result.models.length}.</span>
          )}
          {result.models.length <= MANY &&
            result.models.map((each) => (
              <Button key={each} look="chip" aria-pressed={each === model} onClick={() => onModel(each)}>
                {each}
                <small>{modelWords(result.details.find(({ id }) => id === each))}</small>
              </Button>
            ))}
        </fieldset>
      )}
    </div>
  );
}

function TestResult({ result, onMeant }: Pick<Props, "result" | "onMeant">) {
  if (!result.ok) {
    const { meant } = result;
    return (
      <Problem details={result.error}>
        {meant && <Button onClick={() => onMeant(meant)}>Use {meant}</Button>}
      </Problem>
    );
  }
  if (result.models.length === 0 && !result.model)
    return (
      <Problem
        details={{
          message: "The server answers, but has no model yet.",
          hint: "Fetch one with it, such as “ollama pull qwen3”, and test again.",
        }}
      />
    );
  return (
    <Notice icon={<CheckIcon />}>
      Connected in {Math.round(result.latencyMs)} ms, {amountOf(result.models.length, "model")}.
    </Notice>
  );
}
