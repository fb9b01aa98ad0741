import { amountOf } from "../shared/amounts";
import { CopyButton } from "./CopyButton";

interface Props {
  /** Tokens that the model could read. */
  most: number;
  command: string;
}

/** How an Ollama is told to give its model more than the few tokens that it does by default. */
export function WiderWindowNote({ most, command }: Props) {
  return (
    <p className="cass-quiet cass-wider">
      The model itself could read {amountOf(most, "token")}. Raise “Context length” in Ollama's settings, or
      start it with{" "}
      <span>
        <code>{command}</code>
        <CopyButton label="Copy command" text={() => command} />
      </span>
    </p>
  );
}
