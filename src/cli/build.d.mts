/** Bundles programs into a folder, by default all of them. */
export function bundlePrograms(
  root: string,
  target: { folder: string; entryPoints?: Record<string, string> },
): Promise<unknown>;
