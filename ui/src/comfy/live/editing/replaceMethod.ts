/** Methods of the page that are ours for a moment. */

/** What it returns puts the earlier one back, unless somebody has replaced ours meanwhile. */
export function replaceMethod<Name extends PropertyKey, Method>(
  owner: { [name in Name]?: Method },
  name: Name,
  method: Method,
): () => void {
  const isInherited = !Object.hasOwn(owner, name);
  const original = owner[name];
  owner[name] = method;
  return () => {
    if (owner[name] !== method) return;
    if (isInherited) Reflect.deleteProperty(owner, name);
    else owner[name] = original;
  };
}
