/**
 * A copy of a JSON value in which every string is valid Unicode.
 *
 * A lone surrogate, for example half an emoji cut by a length limit, cannot be encoded as UTF-8 and would make the
 * whole request unreadable on the server.
 */
export function wellFormed<Value>(value: Value): Value {
  return makeWellFormed(value) as Value;
}

function makeWellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(makeWellFormed);
  if (value !== null && typeof value === "object")
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key.toWellFormed(), makeWellFormed(entry)]),
    );
  return value;
}
