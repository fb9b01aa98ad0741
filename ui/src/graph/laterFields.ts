/** Fields of an object that are read when somebody first asks for them. */

export function withLater<Rest extends object, Later extends object>(
  rest: Rest,
  fields: { [Field in keyof Later]: () => Later[Field] },
): Rest & Later {
  for (const field of Object.keys(fields) as (keyof Later)[]) readLater(rest, field, fields[field]);
  return rest as Rest & Later;
}

/** `use` gets the value of a field as it was read: when that is, or at once where it has been. */
export function whenRead<Whole extends object, Field extends keyof Whole>(
  whole: Whole,
  field: Field,
  use: (value: Whole[Field]) => void,
): void {
  const read = Object.getOwnPropertyDescriptor(whole, field)?.get as (() => Whole[Field]) | undefined;
  if (!read) use(whole[field]);
  else
    readLater(whole, field, () => {
      const value = read.call(whole);
      use(value);
      return value;
    });
}

export function isRead<Whole extends object>(whole: Whole, field: keyof Whole): boolean {
  return Object.getOwnPropertyDescriptor(whole, field)?.get === undefined;
}

function readLater(whole: object, field: PropertyKey, read: () => unknown): void {
  const hold = (value: unknown) =>
    Object.defineProperty(whole, field, { value, writable: true, enumerable: true, configurable: true });
  Object.defineProperty(whole, field, {
    get() {
      const value = read();
      hold(value);
      return value;
    },
    set: hold,
    enumerable: true,
    configurable: true,
  });
}
