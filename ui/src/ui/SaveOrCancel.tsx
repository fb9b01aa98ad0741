import { Button } from "./Button";

interface Props {
  isDisabled?: boolean;
  onSave(): unknown;
  onCancel(): void;
}

/** The buttons below something that is being written. */
export function SaveOrCancel({ isDisabled = false, onSave, onCancel }: Props) {
  return (
    <>
      <Button look="primary" disabled={isDisabled} onClick={() => void onSave()}>
        Save
      </Button>
      <Button look="plain" onClick={onCancel}>
        Cancel
      </Button>
    </>
  );
}
