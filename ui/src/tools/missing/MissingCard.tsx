import { amountOf } from "../../shared/amounts";
import { type Store, useStore } from "../../shared/store";
import { plain, sizeWords } from "./ask";
import { ByHandFile } from "./ByHandFile";
import type { Act, Line } from "./lines";

/** One line for each thing that is missing, with what can be done about it and all that a yes to it means. */
export function MissingCard({
  lines,
  chosen,
  beyond,
}: {
  lines: readonly Line[];
  chosen: Store<readonly number[]>;
  /** A sentence on what lacks and has no line. */
  beyond: string;
}) {
  const choices = useStore(chosen);
  const options = lines.map((line, index) => line.options[choices[index] ?? 0]);
  return (
    <>
      <p className="cass-missing-sum">
        {sumWords(options.map((option) => option?.act))} {beyond}
      </p>
      <ul className="cass-missing">
        {lines.map(({ title, note, refused, byHand, options: all }, index) => (
          <li key={`${title} ${note}`}>
            <span className="cass-missing-what">
              <b>{title}</b>
              <span className="cass-quiet">{refused ? `${note}; ${refused}` : note}</span>
              {options[index]?.facts && <span>{options[index].facts}</span>}
              {byHand && <ByHandFile {...byHand} />}
            </span>
            {all.length > 1 ? (
              <select
                className="cass-field"
                aria-label={`What to do about ${title}`}
                value={choices[index]}
                onChange={({ target }) => chosen.set(choices.with(index, Number(target.value)))}
              >
                {all.map(({ label }, option) => (
                  <option key={label} value={option}>
                    {label}
                  </option>
                ))}
              </select>
            ) : (
              <span className="cass-quiet">{all[0]?.label}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What a yes to these comes to. */
function sumWords(acts: readonly (Act | undefined)[]): string {
  const offers = acts.flatMap((act) => (act?.kind === "fetch" ? [act.offer] : []));
  const hosts = [...new Set(offers.map((offer) => offer.host))].join(", ");
  const installs = acts.flatMap((act) => (act?.kind === "install" ? [act.package] : []));
  const replaced = acts.filter((act) => act?.kind === "replace").length;
  const types = acts.filter((act) => act?.kind === "replaceType").length;
  const smaller = acts.filter((act) => act?.kind === "set").length;
  const size = offers.reduce((sum, offer) => sum + (offer.size ?? 0), 0);
  const free = Math.min(...offers.map((offer) => offer.free));
  const isKnown = offers.every((offer) => offer.size !== null);
  const fetched = `fetches ${amountOf(offers.length, "file")} (${isKnown ? "" : "at least "}${sizeWords(size)} from ${hosts}${size > free ? `, but only ${sizeWords(free)} are free` : ""})`;
  const parts = [
    ...(offers.length > 0 ? [fetched] : []),
    ...(replaced > 0 ? [`sets ${amountOf(replaced, "installed file")}`] : []),
    ...(types > 0 ? [`replaces the nodes of ${amountOf(types, "type")}`] : []),
    ...(smaller > 0 ? [`makes ${amountOf(smaller, "size")} smaller`] : []),
    ...(installs.length > 0
      ? [`installs ${installs.map(({ name }) => plain(name)).join(", ")}, whose code then runs here`]
      : []),
  ];
  if (parts.length === 0) return "A yes changes nothing.";
  const restart =
    installs.length > 0
      ? " Then ComfyUI restarts: runs that wait are lost, the page is loaded anew, and this chat goes on by itself."
      : "";
  return `A yes ${parts.join(", ")}.${restart}`;
}
