import { useStore } from "../../shared/store";
import { Button } from "../../ui/Button";
import { HandIcon, LightningIcon } from "../../ui/icons";
import { useChatEnvironment } from "../chatContext";

const shown = {
  ask: {
    label: "Ask",
    title: "Ask: I ask you before bigger changes and runs. Click for Auto",
    Icon: HandIcon,
  },
  auto: {
    label: "Auto",
    title: "Auto: I work without asking, except about risky nodes. Click for Ask",
    Icon: LightningIcon,
  },
};

/** Whether the person is asked first; one press changes it. */
export function ApprovalModeButton() {
  const { approvals } = useChatEnvironment();
  const mode = useStore(approvals.mode);
  const { label, title, Icon } = shown[mode];
  return (
    <Button
      look="quiet"
      className="cass-mode"
      title={title}
      aria-label={title}
      onClick={() => approvals.mode.set(mode === "ask" ? "auto" : "ask")}
    >
      <Icon />
      <span>{label}</span>
    </Button>
  );
}
