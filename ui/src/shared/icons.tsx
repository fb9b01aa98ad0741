import type { ReactNode } from "react";

/** Line icons on a 16 × 16 grid that take the colour and size of the text around them. */
function icon(shapes: ReactNode) {
  return function Icon() {
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
        {shapes}
      </svg>
    );
  };
}

export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />);
export const HistoryIcon = icon(
  <>
    <path d="M2.5 8a5.5 5.5 0 1 0 1.8-4.1L2.5 5.5" />
    <path d="M2.5 2.5v3h3M8 5v3.2l2.2 1.3" />
  </>,
);
export const SettingsIcon = icon(
  <>
    <path d="M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6" />
    <circle cx="10" cy="4.5" r="1.6" />
    <circle cx="6" cy="11.5" r="1.6" />
  </>,
);
export const SendIcon = icon(<path d="M8 13V3.5M4 7.2l4-4 4 4" />);
export const StopIcon = icon(<rect x="4.5" y="4.5" width="7" height="7" rx="1" fill="currentColor" />);
export const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 3.2A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5a1.5 1.5 0 0 0 .7 1.3" />
  </>,
);
export const CheckIcon = icon(<path d="m3.5 8.5 3 3 6-7" />);
export const CloseIcon = icon(<path d="m4 4 8 8M12 4l-8 8" />);
export const PencilIcon = icon(<path d="M10.6 2.9 13.1 5.4 5.5 13H3v-2.5zM9.2 4.3l2.5 2.5" />);
export const RetryIcon = icon(
  <>
    <path d="M13.5 8a5.5 5.5 0 1 1-1.8-4.1l1.8 1.6" />
    <path d="M13.5 2.5v3h-3" />
  </>,
);
export const ChevronIcon = icon(<path d="m6 3.5 4.5 4.5L6 12.5" />);
export const ArrowDownIcon = icon(<path d="M8 3v9.5M4 8.8l4 4 4-4" />);
export const TrashIcon = icon(
  <path d="M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 8.2a1 1 0 0 0 1 .8h3.8a1 1 0 0 0 1-.8l.6-8.2" />,
);
export const AlertIcon = icon(
  <>
    <path d="M8 2.5 14.2 13H1.8z" />
    <path d="M8 6.5v3M8 11.4v.1" />
  </>,
);
export const InfoIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M8 7.3v3.4M8 5.2v.1" />
  </>,
);
export const SkipIcon = icon(<path d="M4 8h8" />);
