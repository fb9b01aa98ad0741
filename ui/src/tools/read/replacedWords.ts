import type { TypeReplacement } from "../../comfy/bridge";

/** `ControlNetLoader replaces it here (t2i_adapter_name → control_net_name)`. */
export function replacedWords({ type, names, values }: TypeReplacement): string {
  const changes = [
    ...[...names].flatMap(([old, name]) => (old === name ? [] : [`${old} → ${name}`])),
    ...values.map(([name, value]) => `${name}=${JSON.stringify(value)}`),
  ];
  return `${type} replaces it here${changes.length > 0 ? ` (${changes.join(", ")})` : ""}`;
}
