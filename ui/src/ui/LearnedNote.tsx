import { Button } from "./Button";

interface Props {
  note?: string | null | undefined;
  learnedAt?: number | null | undefined;
  onForget(): void;
}

/** What is known of the model, and where from; what was learned can be forgotten. */
export function LearnedNote({ note, learnedAt, onForget }: Props) {
  return (
    <p className="cass-quiet">
      {note}{" "}
      {learnedAt && (
        <Button look="plain" onClick={onForget}>
          Forget it
        </Button>
      )}
    </p>
  );
}
