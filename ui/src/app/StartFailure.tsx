import type { ErrorDetails } from "../api/errors";
import { Button } from "../ui/Button";
import { AlertIcon } from "../ui/icons";

interface Props {
  title: string;
  details: ErrorDetails;
  onRetry(): void;
}

/** Instead of a conversation, when the server part cannot hold one. */
export function StartFailure({ title, details, onRetry }: Props) {
  return (
    <div className="cass-start-failure" role="alert">
      <AlertIcon />
      <h2>{title}</h2>
      <p>{details.message}</p>
      {details.hint && <p className="cass-quiet">{details.hint}</p>}
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
