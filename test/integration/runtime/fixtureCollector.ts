import { openArtifactStore } from '#src/platform/artifacts/artifactStore.ts';
import { openDatabase } from '#src/platform/postgres/database.ts';
import { collectArtifacts, sweepArtifacts } from '#src/services/artifacts/collectArtifacts.ts';

const db = openDatabase(process.env.DATABASE_URL ?? '', { poolSize: 2 });
const store = await openArtifactStore(process.env.ARTIFACT_FOLDER ?? '');
process.send?.('ready');
for (;;) {
  await sweepArtifacts({ db }, store);
  await collectArtifacts({ db }, store, 0);
}
