import type { ReactNode } from "react";

/** Line icons on a 16 × 16 grid that take the colour and size of the text around them. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      className="cass-icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const PlusIcon = () => (
  <Icon>
    <path d="M8 3v10M3 8h10" />
  </Icon>
);

export const ChatsIcon = () => (
  <Icon>
    <path d="M2.5 8a5.5 5.5 0 1 0 1.8-4.1L2.5 5.5" />
    <path d="M2.5 2.5v3h3M8 5v3.2l2.2 1.3" />
  </Icon>
);

export const PersonIcon = () => (
  <Icon>
    <circle cx="8" cy="5.5" r="2.7" />
    <path d="M2.8 13.5a5.2 5.2 0 0 1 10.4 0" />
  </Icon>
);

export const SettingsIcon = () => (
  <Icon>
    <path d="M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6" />
    <circle cx="10" cy="4.5" r="1.6" />
    <circle cx="6" cy="11.5" r="1.6" />
  </Icon>
);

export const SendIcon = () => (
  <Icon>
    <path d="M8 13V3.5M4 7.2l4-4 4 4" />
  </Icon>
);

export const StopIcon = () => (
  <Icon>
    <rect x="4.5" y="4.5" width="7" height="7" rx="1" fill="currentColor" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 3.2A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5a1.5 1.5 0 0 0 .7 1.3" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon>
    <path d="m3.5 8.5 3 3 6-7" />
  </Icon>
);

export const CloseIcon = () => (
  <Icon>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
);

export const PencilIcon = () => (
  <Icon>
    <path d="M10.6 2.9 13.1 5.4 5.5 13H3v-2.5zM9.2 4.3l2.5 2.5" />
  </Icon>
);

export const RetryIcon = () => (
  <Icon>
    <path d="M13.5 8a5.5 5.5 0 1 1-1.8-4.1l1.8 1.6" />
    <path d="M13.5 2.5v3h-3" />
  </Icon>
);

export const ChevronIcon = () => (
  <Icon>
    <path d="m6 3.5 4.5 4.5L6 12.5" />
  </Icon>
);

export const BackIcon = () => (
  <Icon>
    <path d="M10 3.5 5.5 8l4.5 4.5" />
  </Icon>
);

export const ArrowDownIcon = () => (
  <Icon>
    <path d="M8 3v9.5M4 8.8l4 4 4-4" />
  </Icon>
);

export const TrashIcon = () => (
  <Icon>
    <path d="M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 8.2a1 1 0 0 0 1 .8h3.8a1 1 0 0 0 1-.8l.6-8.2" />
  </Icon>
);

export const AlertIcon = () => (
  <Icon>
    <path d="M8 2.5 14.2 13H1.8z" />
    <path d="M8 6.5v3M8 11.4v.1" />
  </Icon>
);

export const InfoIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M8 7.3v3.4M8 5.2v.1" />
  </Icon>
);

export const HandIcon = () => (
  <Icon>
    <path d="M5 8.5V4a1 1 0 0 1 2 0v3.5M7 7.5V3a1 1 0 0 1 2 0v4.5M9 7.5v-4a1 1 0 0 1 2 0v5M11 7a1 1 0 0 1 2 0v2.5a4.5 4.5 0 0 1-8.4 2.2L3 9.3a1 1 0 0 1 1.6-1.1L5 8.6" />
  </Icon>
);

export const LightningIcon = () => (
  <Icon>
    <path d="M9 2 3.8 9H8l-1 5 5.2-7H8z" />
  </Icon>
);

export const UndoIcon = () => (
  <Icon>
    <path d="M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6" />
  </Icon>
);

export const RedoIcon = () => (
  <Icon>
    <path d="M10.5 3 13.5 6l-3 3M13.5 6h-7a4 4 0 0 0 0 8H10" />
  </Icon>
);

export const PinIcon = () => (
  <Icon>
    <path d="M9.5 2 14 6.5l-3 .8L8 10.3l-.3 3L2.7 8.3l3-.3 3-3zM5.2 10.8 2 14" />
  </Icon>
);

export const DownloadIcon = () => (
  <Icon>
    <path d="M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10" />
  </Icon>
);

export const SkipIcon = () => (
  <Icon>
    <path d="M4 8h8" />
  </Icon>
);

export const AttachIcon = () => (
  <Icon>
    <path d="m13 7.5-5.2 5.2a3.1 3.1 0 0 1-4.4-4.4l5.4-5.4a2.1 2.1 0 0 1 3 3l-5.3 5.3a1 1 0 0 1-1.5-1.5l4.8-4.8" />
  </Icon>
);

export const FileIcon = () => (
  <Icon>
    <path d="M9.5 2H4.5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1V5zM9.5 2v3h3" />
  </Icon>
);
