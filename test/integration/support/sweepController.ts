// A program that drives sweeps and adaptive comparisons as the reconciler of an API does, but with short pauses, for tests that kill it.
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { openDatabase } from '#src/base/platform/postgres/database.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { driveDecisions } from '#src/decisions/driveDecision.ts';
import { driveSweeps } from '#src/sweeps/driveSweep.ts';

const databaseUrl = z.string().parse(process.env.DATABASE_URL);
const db = openDatabase(databaseUrl, { poolSize: 2 });
const queue = await openRunQueue({ databaseUrl, redisUrl: null });
process.send?.('ready');
for (;;) {
  await driveSweeps({ db, queue }).catch((error: unknown) => console.error(error));
  await driveDecisions({ db, queue }).catch((error: unknown) => console.error(error));
  await pause(20);
}
