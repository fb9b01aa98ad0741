import type { ReactNode, Ref } from "react";

interface Props {
  title: string;
  /** Beside the title, such as the file that it is about. */
  note?: ReactNode;
  /** A sentence on what it is for. */
  about?: ReactNode;
  className?: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A part of a page below its heading. */
export function Section({ title, note, about, className = "", ref, children }: Props) {
  return (
    <section ref={ref} className={`cass-section ${className}`.trimEnd()} aria-label={title}>
      <h3>
        {title} {note && <small>{note}</small>}
      </h3>
      {about && <p className="cass-quiet">{about}</p>}
      {children}
    </section>
  );
}
