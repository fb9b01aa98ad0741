interface Props {
  isDisabled?: boolean;
  onSave(): unknown;
  onCancel(): void;
}

/** The buttons below something that is being written. */
export function SaveOrCancel({ isDisabled = false, onSave, onCancel }: Props) {
  return (
    <>
      <button
        type="button"
        className="cass-button cass-primary"
        disabled={isDisabled}
        onClick={() => void onSave()}
      >
        Save
      </button>
      <button type="button" className="cass-button cass-plain" onClick={onCancel}>
        Cancel
      </button>
    </>
  );
}
