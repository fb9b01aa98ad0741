import { type FormEvent, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";

interface Props {
  api: AssistantApi;
  details: ErrorDetails;
  onEntered(): void;
}

/** Instead of a conversation, where this browser has not entered the access code yet. */
export function AccessForm({ api, details, onEntered }: Props) {
  const [code, setCode] = useState("");
  const [refused, setRefused] = useState<ErrorDetails>();
  const [isSending, setIsSending] = useState(false);
  const enter = async (event: FormEvent) => {
    event.preventDefault();
    setIsSending(true);
    try {
      await api.enterAccessCode(code);
      onEntered();
    } catch (error) {
      setRefused(detailsOf(error));
    } finally {
      setIsSending(false);
    }
  };
  const { message, hint } = refused ?? details;
  return (
    <form className="cass-start-failure" onSubmit={enter}>
      <h2>Enter the access code</h2>
      <p role={refused && "alert"}>{message}</p>
      {hint && <p className="cass-quiet">{hint}</p>}
      <div className="cass-access">
        <Field
          label="Access code"
          isLabelHidden
          type="password"
          autoComplete="current-password"
          value={code}
          onValue={setCode}
        />
        <Button type="submit" disabled={isSending || code.trim() === ""}>
          Open
        </Button>
      </div>
    </form>
  );
}
