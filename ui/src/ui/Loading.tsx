/** Stands in the place of what is on its way. */
export function Loading() {
  return <p className="cass-quiet">Loading…</p>;
}
