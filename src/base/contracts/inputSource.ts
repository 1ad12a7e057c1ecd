import { parseVersionReference } from './registry.ts';

/** What an input of a run is: an artifact of another run, or a file of a registered version. */
export type InputSource = { runId: string; artifactName: string } | { version: string };

/** How people write it, for messages. */
export const INPUT_FORMS =
  'RUN:ARTIFACT, such as 12:embeddings.npy, or NAME@ALIAS or NAME:VERSION of a registered model or dataset';

const RUN = /^#?(\d{1,10})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reads `RUN:ARTIFACT`, or `NAME@ALIAS` or `NAME:VERSION` where NAME is no run's; null where it is neither. */
export function parseInputSource(text: string): InputSource | null {
  const [, run = '', artifactName] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  const runId = RUN.exec(run.trim())?.[1] ?? (UUID.test(run.trim()) ? run.trim().toLowerCase() : null);
  if (runId !== null && artifactName !== undefined) return { runId, artifactName };
  return parseVersionReference(text) === null ? null : { version: text };
}
