import { FindVersionDocument, TakeVersionDocument } from '../generated/api.ts';
import type { Transport } from './transport.ts';

/** What a reference names: a file of a run, or files of a registered version. */
export type Named =
  | { run: string; name: string }
  /** `version` is without the file that is meant, or null. */
  | { version: string; file: string | null };

export interface TakenVersion {
  /** With its number: `ranker:3`. */
  name: string;
  number: number;
  files: { path: string; artifactName: string; sha256: string }[];
  /** The run that made it. */
  runId: string;
}

const RUN = /^(#?\d{1,10}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const FORMS = 'RUN:NAME, such as 12:model.json, or a version, such as ranker@production, ranker:3 or ranker:latest';
/** How tokens of runs begin, which workers give to the programs that they execute. */
const RUN_TOKEN = 'warren_run_';

/** Reads a reference. @throws TypeError where it is of no form */
export function namedBy(reference: string): Named {
  const colon = reference.indexOf(':');
  const [before, after] = colon < 0 ? [reference, ''] : [reference.slice(0, colon), reference.slice(colon + 1)];
  if (after !== '' && RUN.test(before)) return { run: before.replace(/^#/, ''), name: after };
  if (after === '' && !reference.includes('@')) {
    throw new TypeError(`useArtifact: '${reference}' is not of the form ${FORMS}`);
  }
  const slash = reference.indexOf('/');
  if (slash < 0) return { version: reference, file: null };
  return { version: reference.slice(0, slash), file: reference.slice(slash + 1) };
}

/**
 * The files that a reference to a version means.
 * @param runId Of the run whose program asks, where the token is that of a run, which may ask for what it takes alone.
 * @throws Unreachable, Refused, or an Error where there are no such files
 */
export async function versionOf(
  transport: Transport,
  { version, file }: Extract<Named, { version: string }>,
  runId: string | undefined,
): Promise<TakenVersion> {
  const isRun = runId !== undefined && transport.token?.startsWith(RUN_TOKEN) === true;
  const found = isRun
    ? (await transport.ask(TakeVersionDocument, { run: runId, version })).useRegistryVersion
    : (await transport.ask(FindVersionDocument, { version })).registryVersion;
  const name = `${found.name}:${found.number}`;
  const files = file === null ? found.files : found.files.filter(({ path }) => path === file);
  if (files.length === 0 || found.runId === null) {
    throw new Error(`useArtifact: ${name} has no ${file === null ? 'file at this server' : `file ${file}`}`);
  }
  if (file === null && found.fileCount > files.length) {
    throw new Error(`useArtifact: ${name} has ${found.fileCount} files, more than a call downloads: say which`);
  }
  return { name, number: found.number, files, runId: found.runId };
}
