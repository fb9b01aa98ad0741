import type { ErrorDetails } from "../api/errors";
import { AlertIcon } from "../shared/icons";

/** Instead of a conversation, when the server part cannot hold one. */
export function StartFailure({ details, onRetry }: { details: ErrorDetails; onRetry(): void }) {
  return (
    <div className="cass-start-failure" role="alert">
      <AlertIcon />
      <h2>The assistant cannot start</h2>
      <p>{details.message}</p>
      {details.hint && <p className="cass-error-hint">{details.hint}</p>}
      <button type="button" className="cass-button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
