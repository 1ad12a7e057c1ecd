/** Bundles programs into a folder, by default all of them. */
export function bundlePrograms(
  root: string,
  target: { folder: string; entryPoints?: Record<string, string> },
): Promise<unknown>;

/** Built file in `dist/`, without `.js`, and the source that it starts from. */
export const ENTRY_POINTS: Readonly<Record<string, string>>;
