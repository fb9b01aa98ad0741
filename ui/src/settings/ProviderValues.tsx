import type { WholeProvider } from "../api/providers";
import { Field, Select } from "../ui/Field";
import { Fold } from "../ui/Fold";
import { priceWords } from "./modelWords";
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
    <Field
      label={label}
      note={facts && source && originOf(source)}
      inputMode={name === "name" ? "text" : "decimal"}
      placeholder={found === undefined || found === null ? "" : String(found)}
      value={fields[name]}
      onValue={(value) => onEdit({ [name]: value })}
    />
  );
  return (
    <Fold line={<span>{summary(facts)}</span>}>
      <div className="cass-fields">
        {field("name", "Name", fields.model || "that of the model")}
        {field("window", "Context window in tokens", facts?.window.value, facts?.window.source)}
        <Select
          label="Image input"
          note={facts && originOf(facts.vision.source)}
          value={fields.vision}
          onValue={(value) => onEdit({ vision: value })}
        >
          <option value="">detect</option>
          <option value="yes">yes</option>
          <option value="no">no</option>
        </Select>
        <Select
          label="Prompt size"
          note={profileNote(facts)}
          value={fields.profile}
          onValue={(value) => onEdit({ profile: value })}
        >
          <option value="">automatic</option>
          <option value="full">full</option>
          <option value="slim">short</option>
        </Select>
        <Select label="Reasoning effort" value={fields.effort} onValue={(value) => onEdit({ effort: value })}>
          <option value="">model's default</option>
          {efforts.map((effort) => (
            <option key={effort}>{effort}</option>
          ))}
        </Select>
        <Select
          label="Send instructions as"
          value={fields.rulesIn}
          title="Some servers accept a system message but don't show it to the model."
          onValue={(value) => onEdit({ rulesIn: value })}
        >
          <option value="">system message</option>
          <option value="user">part of the first message</option>
        </Select>
        {field("temperature", "Temperature", "model's default")}
        {field("input", "Input price, $ per million tokens", price?.input, facts?.price.source)}
        {field("cached", "Cached input price", price?.cached)}
        {field("output", "Output price", price?.output)}
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
