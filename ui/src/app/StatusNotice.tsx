import type { UpdateNote } from "../api/replies";

/** Another build is installed than the one that this page or ComfyUI runs. */
export function UpdateNotice({ message, reload }: UpdateNote) {
  return (
    <p className="cass-notice" role="status">
      <span>{message}</span>
      {reload && (
        <button type="button" className="cass-button" onClick={() => location.reload()}>
          Reload
        </button>
      )}
    </p>
  );
}
