import { type ComponentType, useEffect, useRef, useState } from "react";
import { IconButton } from "../../shared/IconButton";
import { CloseIcon, InfoIcon } from "../../shared/icons";
import { offerHelp } from "./offerHelp";

export type HelpLine = ComponentType<{
  /** The assistant is answering, so nothing can be sent, and its question may be about the same. */
  isBusy: boolean;
  send(message: string): void;
}>;

/**
 * One quiet line about a workflow that lacks something or is too large here, with the assistant's help a click away. Who
 * goes on with something else has only what is lacking told further on.
 */
export async function helpLine(...page: Parameters<typeof offerHelp>): Promise<HelpLine | undefined> {
  const offer = await offerHelp(...page);
  if (!offer) return undefined;
  const { says, invites, whom, take, dismiss, lookAgain } = offer;
  return ({ isBusy, send }) => {
    const wasBusy = useRef(isBusy);
    const wasTaken = useRef(false);
    const [isHidden, setHidden] = useState(isBusy);
    const [isBrief, setBrief] = useState(false);
    useEffect(() => {
      if (isBusy) setHidden(true);
      else if (wasBusy.current) {
        setBrief(!wasTaken.current && whom !== "");
        wasTaken.current = false;
        lookAgain()
          .catch(() => {})
          .finally(() => setHidden(false));
      }
      wasBusy.current = isBusy;
    }, [isBusy]);
    if (isHidden || isBusy) return null;
    return (
      <div className="cass-notice cass-lack" role="status">
        <InfoIcon />
        {isBrief ? (
          <>
            <span>{says}</span>
            <button type="button" className="cass-button" onClick={() => setBrief(false)}>
              Details
            </button>
          </>
        ) : (
          <>
            <span>
              {says} Nothing is fetched before you say yes to the list.
              {/* What is not shown whole is not agreed to by a click. */}
              {whom && <span className="cass-lack-whom">{whom}</span>}
            </span>
            <button
              type="button"
              className="cass-button"
              onClick={() => {
                wasTaken.current = true;
                setHidden(true);
                send(take());
              }}
            >
              {invites}
            </button>
          </>
        )}
        <IconButton label="Dismiss" onClick={dismiss}>
          <CloseIcon />
        </IconButton>
      </div>
    );
  };
}
