interface Props {
  /** What a text was when somebody began to write another one over it. */
  before: string;
  now: string;
}

export function ChangedMeanwhile({ before, now }: Props) {
  if (before === now) return null;
  return (
    <>
      <p className="cass-quiet">It was changed meanwhile, and now reads:</p>
      <pre className="cass-plain-text">{now}</pre>
    </>
  );
}
