import type { Flaw } from "./youApi";

/** What is wrong with files of the person's, and what to do about it. */
export function Flaws({ of }: { of: readonly Flaw[] }) {
  return of.map(({ path, problem, action }) => (
    <p key={path + problem} className="cass-flaw">
      <code>{path}</code> {problem} {action}
    </p>
  ));
}
