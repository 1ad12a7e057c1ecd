import { setTimeout as pause } from 'node:timers/promises';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { readEnvironment } from '#src/base/platform/environment.ts';
import { openDatabase } from '#src/base/platform/postgres/database.ts';
import { collectArtifacts, sweepArtifacts } from '#src/artifacts/collectArtifacts.ts';

const { databaseUrl, artifacts } = readEnvironment();
const db = openDatabase(databaseUrl ?? '', { poolSize: 2 });
const store = await openArtifactStore(artifacts);
process.send?.('ready');
for (;;) {
  await sweepArtifacts({ db }, store);
  await collectArtifacts({ db }, store, 0);
  // shorter than an upload takes; without it, this program and its database have half of the machine
  await pause(10);
}
