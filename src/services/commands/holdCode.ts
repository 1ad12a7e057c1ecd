import { keepArtifactFiles } from '#src/store/artifacts/artifactLock.ts';
import { inTransaction } from '#src/store/database/connection.ts';
import { holdContent } from '#src/store/artifacts/unsettledContent.ts';
import type { ServiceContext } from '../serviceContext.ts';

/** Time between sending the code of a command and queueing it. */
const HELD_SECONDS = 3_600;

/** Keeps the code of a command that is about to be queued from the collector. Call it before the file is placed. */
export async function holdCode(context: Pick<ServiceContext, 'db'>, sha256: string): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    await keepArtifactFiles(connection);
    await holdContent(connection, sha256, HELD_SECONDS);
  });
}
