interface Props {
  windowNote?: string | null | undefined;
  windowLearnedAt?: number | null | undefined;
  onForget(): void;
}

/** Where the model's window comes from; one that was learned can be forgotten. */
export function WindowOrigin({ windowNote, windowLearnedAt, onForget }: Props) {
  return (
    <p className="cass-quiet">
      {windowNote}{" "}
      {windowLearnedAt && (
        <button type="button" className="cass-button cass-plain" onClick={onForget}>
          Forget it
        </button>
      )}
    </p>
  );
}
