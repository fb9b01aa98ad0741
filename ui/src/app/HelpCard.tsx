import { useEffect, useRef } from "react";
import { keys, slashCommands } from "../slash/commands";
import { IconButton } from "../ui/IconButton";
import { CloseIcon } from "../ui/icons";

/** The answer to `/help`: shown here only, never part of the conversation. */
export function HelpCard({ onClose }: { onClose(): void }) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // Two frames later: until then the conversation follows its end, which is the end of a taller card.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => card.current?.scrollIntoView({ block: "start" }));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <section ref={card} className="cass-sunken cass-help" aria-label="Help">
      <IconButton className="cass-help-close" label="Close help" onClick={onClose}>
        <CloseIcon />
      </IconButton>
      <dl>
        {slashCommands.map(({ name, argument, description }) => (
          <div key={name}>
            <dt>
              <code>{argument ? `/${name} ${argument}` : `/${name}`}</code>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <dl>
        {keys.map(({ keys, description }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
