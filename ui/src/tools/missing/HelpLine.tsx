import { type ComponentType, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { CloseIcon, InfoIcon } from "../../ui/icons";
import { offerHelp } from "./offerHelp";

interface Line {
  /** The assistant is answering, so nothing can be sent, and its question may be about the same. */
  isBusy: boolean;
  send(message: string): void;
}

export type HelpLine = ComponentType<Line>;

type Offer = NonNullable<Awaited<ReturnType<typeof offerHelp>>>;

/**
 * One quiet line about a workflow that lacks something or is too large here, with the assistant's help a click away. Who
 * goes on with something else has only what is lacking told further on.
 */
export async function helpLine(...page: Parameters<typeof offerHelp>): Promise<HelpLine | undefined> {
  const offer = await offerHelp(...page);
  return offer && ((line) => <OfferedLine offer={offer} {...line} />);
}

function OfferedLine({ offer, isBusy, send }: Line & { offer: Offer }) {
  const { says, invites, whom, take, dismiss } = offer;
  const { form, showWhole, leave } = useForm(offer, isBusy);
  if (form === "hidden") return null;
  return (
    <div className="cass-notice cass-lack" role="status">
      <InfoIcon />
      {form === "brief" ? (
        <>
          <span>{says}</span>
          <Button onClick={showWhole}>Details</Button>
        </>
      ) : (
        <>
          <span>
            {says} Nothing is fetched before you say yes to the list.
            {/* What is not shown whole is not agreed to by a click. */}
            {whom && <span className="cass-lack-whom">{whom}</span>}
          </span>
          <Button
            onClick={() => {
              leave();
              send(take());
            }}
          >
            {invites}
          </Button>
        </>
      )}
      <IconButton label="Dismiss" onClick={dismiss}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}

/** Hidden while the assistant answers; brief after an answer that was not about this, where there is more to tell. */
function useForm({ whom, lookAgain }: Offer, isBusy: boolean) {
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
  }, [isBusy, whom, lookAgain]);
  return {
    form: isHidden || isBusy ? ("hidden" as const) : isBrief ? ("brief" as const) : ("whole" as const),
    showWhole: () => setBrief(false),
    leave() {
      wasTaken.current = true;
      setHidden(true);
    },
  };
}
