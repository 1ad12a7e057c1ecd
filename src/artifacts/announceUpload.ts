import { keepArtifactFiles } from '#src/artifacts/store/artifactLock.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { protectUpload } from '#src/artifacts/store/unsettledContent.ts';
import { refuseBeyondQuota } from './projectQuota.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface UploadedContent {
  runId: string;
  attempt: number;
  name: string;
  sha256: string;
  sizeBytes: number;
  /** Whether the run's project had a quota when the upload began; default true: it is looked at. */
  hasQuota?: boolean;
}

/**
 * Keeps content from the collector until the attempt has recorded it as an artifact, or has ended. Call it when all bytes
 * have come and before the file is placed: a collector that is removing the same content ends first.
 * @throws WarrenError OVER_QUOTA where the project has no room for it.
 */
export async function announceUpload(context: Pick<ServiceContext, 'db'>, upload: UploadedContent): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    if (upload.hasQuota ?? true) await refuseBeyondQuota(connection, upload);
    await keepArtifactFiles(connection);
    await protectUpload(connection, upload);
  });
}
