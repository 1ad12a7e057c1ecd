import { inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { recordUses } from '#src/registry/store/versionUse.ts';
import type { VersionRecord } from '#src/registry/store/versionRecord.ts';
import { requireRun } from '#src/runs/findRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { requireVersion } from './findVersion.ts';

/**
 * Notes that a run took a version.
 * @returns the version.
 * @throws WarrenError NOT_FOUND for an unknown run or version, BAD_INPUT.
 */
export async function useVersion(
  context: Pick<ServiceContext, 'db'>,
  input: { runId: string; version: string },
): Promise<VersionRecord> {
  const run = await requireRun(context, input.runId, 'runId');
  return await inTransaction(context.db, async (connection) => {
    const { version } = await requireVersion(connection, input.version);
    await recordUses(connection, [run.id], [version.id]);
    await sendNotifications(connection, runNotifications([run]));
    return version;
  });
}
