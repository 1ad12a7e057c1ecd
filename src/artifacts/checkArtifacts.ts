import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { anyReferenced } from '#src/artifacts/store/contentTotals.ts';
import { listReferencedAfter, type ReferencedContent } from '#src/artifacts/store/referencedContent.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { inTurn } from './inTurn.ts';

/** Contents compared at a time, and asked for at once. */
const BATCH = 500;
const AT_ONCE = 16;

/** Content that is not as the database says. */
export interface WrongContent {
  sha256: string;
  /** One artifact that is this content; the run is null where only a registered version has it. */
  runNumber: number | null;
  name: string;
  /** How many artifacts and files of versions are this content. */
  uses: number;
  /** Bytes that the rows say; in the store, null where nothing is there. */
  expectedBytes: number;
  foundBytes: number | null;
}

export interface ArtifactCheck {
  /** Contents that artifacts and registered versions refer to, and their bytes. */
  files: number;
  bytes: number;
  /** Not there, or not as large as the rows say, or with `read` other bytes. */
  wrong: WrongContent[];
  /** Content that nothing refers to and nobody is about to record: the collector has not come to it yet. */
  orphans: string[];
}

export interface CheckOptions {
  /** Also reads all content and compares it with its sha256. */
  read: boolean;
  onProgress?(message: string): void;
}

/** Compares what the database says with what the store has. Changes nothing, but that damaged content is set aside when it is read. */
export async function checkArtifacts(
  context: Pick<ServiceContext, 'db'>,
  store: ArtifactStore,
  { read, onProgress }: CheckOptions,
): Promise<ArtifactCheck> {
  const check: ArtifactCheck = { files: 0, bytes: 0, wrong: [], orphans: [] };
  for (let after = ''; ; ) {
    const batch = await listReferencedAfter(context.db, { after, limit: BATCH });
    await inTurn(batch, AT_ONCE, async (content) => {
      const found = await wrongness(store, content, read);
      if (found !== null) check.wrong.push(found);
    });
    check.files += batch.length;
    check.bytes += batch.reduce((sum, { mostBytes }) => sum + mostBytes, 0);
    if (check.files > 0) onProgress?.(`${check.files} files compared`);
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) break;
    after = last.sha256;
  }
  for await (const { names, damaged } of store.list()) {
    if (damaged) continue;
    await inTurn(names, AT_ONCE, async (sha256) => {
      if (!(await anyReferenced(context.db, [sha256]))) check.orphans.push(sha256);
    });
  }
  return check;
}

async function wrongness(
  store: ArtifactStore,
  content: ReferencedContent,
  read: boolean,
): Promise<WrongContent | null> {
  const { sha256, runNumber, name, uses, leastBytes, mostBytes } = content;
  const foundBytes = await store.size(sha256);
  const isRight = foundBytes === mostBytes && leastBytes === mostBytes && (!read || (await store.verify(sha256)));
  return isRight ? null : { sha256, runNumber, name, uses, expectedBytes: mostBytes, foundBytes };
}
