import { keepArtifactFiles } from '#src/artifacts/store/artifactLock.ts';
import { holdContent, isSeenOrSent } from '#src/artifacts/store/unsettledContent.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import type { Actor } from '#src/audit/auditLog.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** Time between sending the code of a command and queueing it. */
const HELD_SECONDS = 3_600;

/** Keeps the code of a command that is about to be queued from the collector. Call it before the file is placed. */
export async function holdCode(context: Pick<ServiceContext, 'db'>, sha256: string, actor: Actor): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    await keepArtifactFiles(connection);
    await holdContent(connection, { sha256, sender: senderOf(actor), seconds: HELD_SECONDS });
  });
}

/**
 * Whether a caller may name this content as code: to have sent it, or to see a run that has it. Otherwise whoever learns the
 * sha256 of a file of another project could have a command print it.
 * @param context Over what the caller sees.
 */
export async function mayNameCode(context: Pick<ServiceContext, 'db'>, sha256: string, actor: Actor): Promise<boolean> {
  return await isSeenOrSent(context.db, { sha256, sender: senderOf(actor) });
}

function senderOf({ kind, name }: Actor): string {
  return `${kind} ${name}`;
}
