import { useState } from "react";
import type { StatusNote } from "../api/replies";

/** Another build is installed than the one that this page or ComfyUI runs; or what a person is told once. */
export function StatusNotice({ message, reload, seen }: StatusNote) {
  const [hidden, setHidden] = useState(() => !!seen && !!localStorage.getItem(seen));
  if (hidden) return null;
  return (
    <p className="cass-notice" role="status">
      <span>{message}</span>
      {(reload || seen) && (
        <button
          type="button"
          className="cass-button"
          onClick={() => {
            if (!seen) return location.reload();
            localStorage.setItem(seen, "1");
            setHidden(true);
          }}
        >
          {seen ? "Do not show again" : "Reload"}
        </button>
      )}
    </p>
  );
}
