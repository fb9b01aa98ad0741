/** The icons by what they stand for; each is a module of its own, so that no test or page loads the thousand others. */

export { default as ArrowDownIcon } from "lucide-react/icons/arrow-down";
export { default as ArrowUpIcon, default as SendIcon } from "lucide-react/icons/arrow-up";
export { default as CheckIcon } from "lucide-react/icons/check";
export { default as BackIcon } from "lucide-react/icons/chevron-left";
export { default as ChevronIcon } from "lucide-react/icons/chevron-right";
export { default as CopyIcon } from "lucide-react/icons/copy";
export { default as DownloadIcon } from "lucide-react/icons/download";
export { default as FileIcon } from "lucide-react/icons/file";
export { default as HandIcon } from "lucide-react/icons/hand";
export { default as ChatsIcon } from "lucide-react/icons/history";
export { default as InfoIcon } from "lucide-react/icons/info";
export { default as SkipIcon } from "lucide-react/icons/minus";
export { default as AttachIcon } from "lucide-react/icons/paperclip";
export { default as PencilIcon } from "lucide-react/icons/pencil";
export { default as PinIcon } from "lucide-react/icons/pin";
export { default as PlusIcon } from "lucide-react/icons/plus";
export { default as RedoIcon } from "lucide-react/icons/redo-2";
export { default as RepeatIcon } from "lucide-react/icons/repeat";
export { default as RetryIcon } from "lucide-react/icons/rotate-cw";
export { default as SettingsIcon } from "lucide-react/icons/sliders-horizontal";
export { default as StopIcon } from "lucide-react/icons/square";
export { default as TrashIcon } from "lucide-react/icons/trash-2";
export { default as AlertIcon } from "lucide-react/icons/triangle-alert";
export { default as UndoIcon } from "lucide-react/icons/undo-2";
export { default as PersonIcon } from "lucide-react/icons/user";
export { default as CloseIcon } from "lucide-react/icons/x";
export { default as LightningIcon } from "lucide-react/icons/zap";
