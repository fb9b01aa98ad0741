import { type Store, useStore } from "../../shared/store";
import type { Line } from "./lines";

/** One line for each thing that is missing, with what can be done about it. */
export function MissingCard({ lines, chosen }: { lines: readonly Line[]; chosen: Store<readonly number[]> }) {
  const choices = useStore(chosen);
  return (
    <ul className="cass-missing">
      {lines.map(({ title, note, options }, index) => (
        <li key={title}>
          <span className="cass-missing-what">
            <b>{title}</b>
            <span className="cass-quiet">{note}</span>
          </span>
          {options.length > 1 ? (
            <select
              className="cass-field"
              aria-label={`What to do about ${title}`}
              value={choices[index]}
              onChange={({ target }) => chosen.set(choices.with(index, Number(target.value)))}
            >
              {options.map(({ label }, option) => (
                <option key={label} value={option}>
                  {label}
                </option>
              ))}
            </select>
          ) : (
            <span className="cass-quiet">{options[0]?.label}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
