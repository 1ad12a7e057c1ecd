const PATHS = {
  waiting: 'M4 2h8M4 14h8M5 2c0 4 6 4 6 6s-6 2-6 6M11 2c0 4-6 4-6 6s6 2 6 6',
  queued: 'M3 4h10M3 8h10M3 12h6',
  running: 'M8 2a6 6 0 1 1-6 6',
  succeeded: 'M3 8.5l3.5 3.5L13 4.5',
  failed: 'M4 4l8 8M12 4l-8 8',
  cancelled: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M4 12l8-8',
  paused: 'M5.5 3v10M10.5 3v10',
  crashed: 'M9 1.5L4 9h4l-1 5.5L12 7H8z',
  pruned: 'M8 2v7M5 6l3 3 3-3M2.5 13.5h11',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5',
  system: 'M2 3h12v8H2zM6 14h4M8 11v3',
  close: 'M4 4l8 8M12 4l-8 8',
  ascending: 'M8 13V3M4 7l4-4 4 4',
  descending: 'M8 3v10M4 9l4 4 4-4',
  star: 'M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.5 10.5L14 14',
  bell: 'M4 11c1-1 1-2 1-4a3 3 0 0 1 6 0c0 2 0 3 1 4zM7 13.5h2',
  settings: 'M2 4.5h5M10.5 4.5H14M2 11.5h3.5M9 11.5h5M9 2.5v4M7 9.5v4',
  edit: 'M3 13l.8-3.2L11 2.6l2.4 2.4-7.2 7.2zM9.6 4l2.4 2.4',
  brand: 'M1.5 4l3 8L8 5l3.5 7 3-8',
} as const;

export type IconName = keyof typeof PATHS;

/** A line drawing of 16 units, for the eye only: what it means stands beside it in words. */
export function Icon({ name, size = 14 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
