/**
 * Whether an output of one type may feed an input of another, by the frontend's rule: `*` and the empty type take
 * anything, a comma-separated type stands for each of its parts, and letter case doesn't matter.
 */
export function acceptsType(inputType: string, outputType: string): boolean {
  if (isWildcard(inputType) || isWildcard(outputType)) return true;
  const accepted = parts(inputType);
  return parts(outputType).some((part) => accepted.includes(part));
}

function isWildcard(type: string): boolean {
  return type === "" || type === "0" || parts(type).includes("*");
}

function parts(type: string): string[] {
  return type
    .toLowerCase()
    .split(",")
    .map((part) => part.trim());
}
