import { PressOnce } from "./PressOnce";

/** A button that has models leave the graphics memory, and says when they have. */
export function FreeMemory({ free }: { free(): Promise<void> }) {
  return (
    <PressOnce
      label="Free graphics memory"
      done="Models leave the graphics memory; they are loaded again when they are needed."
      run={free}
    />
  );
}
