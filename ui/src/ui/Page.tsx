import type { ReactNode, Ref } from "react";
import { Loading } from "./Loading";
import { Notice } from "./Notice";
import { Problem } from "./Problem";
import type { Resource } from "./useResource";

interface Props {
  className?: string;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** What a view shows below its header: it scrolls, and has the page's margins. */
export function Page({ className = "", ref, children }: Props) {
  return (
    <div ref={ref} className={`cass-page ${className}`.trimEnd()}>
      {children}
    </div>
  );
}

interface LoadedProps<Value> {
  of: Resource<Value>;
  children(value: Value): ReactNode;
}

/** Something of the server's as `children` draw it, or that it is on its way, or why it is not there. */
export function Loaded<Value>({ of, children }: LoadedProps<Value>) {
  const { value, failure, undo, perform } = of;
  return (
    <>
      {failure && <Problem {...failure} />}
      {undo && <Notice onUndo={() => void perform(undo.run)}>{undo.label}</Notice>}
      {value === undefined ? !failure && <Loading /> : children(value)}
    </>
  );
}
