import type { ThreadContext } from "../api/contextReplies";
import { amountOf, percent } from "../shared/amounts";
import { Button } from "../ui/Button";
import { LearnedNote } from "../ui/LearnedNote";
import { figure, levelOf, shareInUse } from "./measures";
import { type Block, blocksOf, describeNextAction } from "./windowBlocks";

interface Props {
  context: ThreadContext;
  onCompact(): void;
  onClear(): void;
  onForgetWindow(): void;
}

/** What the window holds, block by block, and what comes next. */
export function WindowPage({ context, onCompact, onClear, onForgetWindow }: Props) {
  const blocks = blocksOf(context);
  return (
    <div className="cass-window">
      <WindowBar blocks={blocks} />
      <div className="cass-window-columns">
        <table className="cass-blocks">
          <thead className="cass-visually-hidden">
            <tr>
              <th scope="col">Block</th>
              <th scope="col">Tokens</th>
              <th scope="col">Share of the window</th>
            </tr>
          </thead>
          <tbody>
            {blocks.map((block) => (
              <tr key={block.name}>
                <th scope="row">
                  <i data-block={block.name} />
                  {block.label} <small>{block.explanation}</small>
                </th>
                <td>{block.tokens.toLocaleString("en")}</td>
                <td>{percent(block.share)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="cass-window-facts">
          <p data-level={levelOf(context)}>
            <b>{percent(shareInUse(context))}</b> used: {figure(context.estimatedTokens)} of{" "}
            {amountOf(context.working, "token")} (model limit {figure(context.window)})
          </p>
          <p>{describeNextAction(context)}</p>
          <p>{describeLastRequest(context)}</p>
          <p className="cass-quiet">
            {[context.model, context.form && `${context.form} system message`].filter(Boolean).join(" · ")}
          </p>
          {context.leftOut.length > 0 && <LeftOut files={context.leftOut} />}
          <LearnedNote
            note={context.windowNote}
            learnedAt={context.windowLearnedAt}
            onForget={onForgetWindow}
          />
          <div className="cass-buttons">
            <Button onClick={onCompact}>Summarize now</Button>
            <Button onClick={onClear}>Clear context</Button>
          </div>
        </div>
      </div>
    </div>
  );
}

function LeftOut({ files }: { files: ThreadContext["leftOut"] }) {
  return (
    <details>
      <summary>
        The system message of this chat has no room for {amountOf(files.length, "file")} or parts of them
      </summary>
      <ul>
        {files.map(({ source, amount, unit }) => (
          <li key={source}>
            <code>{source}</code> {amount.toLocaleString("en")} {unit}
          </li>
        ))}
      </ul>
    </details>
  );
}

function WindowBar({ blocks }: { blocks: readonly Block[] }) {
  const spoken = blocks.map(({ label, share }) => `${label} ${percent(share)}`).join(", ");
  return (
    <div className="cass-window-bar" role="img" aria-label={spoken}>
      {blocks.map(({ name, label, share }) => (
        <i
          key={name}
          data-block={name}
          title={`${label}: ${percent(share)}`}
          style={{ flexGrow: share, flexBasis: 0 }}
        />
      ))}
    </div>
  );
}

function describeLastRequest({ lastUsage, cachedShare, blocks }: ThreadContext): string {
  if (!lastUsage)
    return blocks.turns > 0
      ? "The provider has not said how many tokens a request of this chat took."
      : "No request of this chat has been answered yet.";
  const { inputTokens, cachedInputTokens } = lastUsage;
  const share = cachedShare ?? (cachedInputTokens == null ? undefined : cachedInputTokens / inputTokens);
  const cached =
    share === undefined || Number.isNaN(share)
      ? "; the provider does not say how much of it was cached"
      : `, ${percent(share)} of it from the provider's cache`;
  return `The last request took ${amountOf(inputTokens, "token")}${cached}.`;
}
