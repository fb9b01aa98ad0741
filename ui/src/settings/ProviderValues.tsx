import type { WholeProvider } from "../api/providers";
import { Fold } from "../ui/Fold";
import { priceWords } from "./modelWords";
import { ProviderField } from "./ProviderField";
import { originOf, type ProviderFields, profileNote } from "./providerForm";

interface Props {
  fields: ProviderFields;
  facts: WholeProvider["facts"];
  onEdit(change: Partial<ProviderFields>): void;
}

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh"];

/** What else can be said of a provider: found out where nothing is entered, and then with who says it. */
export function ProviderValues({ fields, facts, onEdit }: Props) {
  const price = facts?.price.value;
  const field = (
    name: "name" | "window" | "input" | "cached" | "output" | "temperature",
    label: string,
    found: string | number | undefined | null,
    source?: string,
  ) => (
    <ProviderField label={label} note={facts && source && originOf(source)}>
      <input
        className="cass-field"
        inputMode={name === "name" ? "text" : "decimal"}
        placeholder={found === undefined || found === null ? "" : String(found)}
        value={fields[name]}
        onChange={(event) => onEdit({ [name]: event.target.value })}
      />
    </ProviderField>
  );
  return (
    <Fold line={<span>{summary(facts)}</span>}>
      <div className="cass-fields">
        {field("name", "Name", fields.model || "that of the model")}
        {field("window", "Window in tokens", facts?.window.value, facts?.window.source)}
        <ProviderField label="Sees images" note={facts && originOf(facts.vision.source)}>
          <select
            className="cass-field"
            value={fields.vision}
            onChange={(event) => onEdit({ vision: event.target.value })}
          >
            <option value="">found out</option>
            <option value="yes">yes</option>
            <option value="no">no</option>
          </select>
        </ProviderField>
        <ProviderField label="Rules and tools" note={profileNote(facts)}>
          <select
            className="cass-field"
            value={fields.profile}
            onChange={(event) => onEdit({ profile: event.target.value })}
          >
            <option value="">by its window</option>
            <option value="full">all of them</option>
            <option value="slim">the short form</option>
          </select>
        </ProviderField>
        <ProviderField label="Reasoning effort">
          <select
            className="cass-field"
            value={fields.effort}
            onChange={(event) => onEdit({ effort: event.target.value })}
          >
            <option value="">the model's own</option>
            {efforts.map((effort) => (
              <option key={effort}>{effort}</option>
            ))}
          </select>
        </ProviderField>
        <ProviderField label="Rules are sent">
          <select
            className="cass-field"
            value={fields.rulesIn}
            title="Some servers take a system message and do not show it to the model."
            onChange={(event) => onEdit({ rulesIn: event.target.value })}
          >
            <option value="">as a system message</option>
            <option value="user">with the first message</option>
          </select>
        </ProviderField>
        {field("temperature", "Temperature", "the model's own")}
        {field("input", "$ per million tokens in", price?.input, facts?.price.source)}
        {field("cached", "… of them cached", price?.cached)}
        {field("output", "… out", price?.output)}
      </div>
    </Fold>
  );
}

function summary(facts: WholeProvider["facts"]): string {
  if (!facts) return "Name, window, images, price";
  const { window, vision, price } = facts;
  const cost = price.value && priceWords(price.value);
  return [
    `${(window.value ?? 0).toLocaleString("en")} tokens (${originOf(window.source)})`,
    vision.value === null ? "images not known" : vision.value ? "sees images" : "no images",
    cost ? `${cost} (${originOf(price.source)})` : "price not known",
  ].join(" · ");
}
