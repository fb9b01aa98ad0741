import { addStyles } from "./addStyles";
import styles from "./flaws.css?inline";

addStyles(styles);

/** What is wrong with files that people wrote, and what to do about it. */
export function Flaws({ of }: { of: readonly { path: string; problem: string; action: string }[] }) {
  if (of.length === 0) return null;
  return (
    <ul className="cass-flaws">
      {of.map(({ path, problem, action }) => (
        <li key={path + problem}>
          <code>{path}</code> {problem} {action}
        </li>
      ))}
    </ul>
  );
}
