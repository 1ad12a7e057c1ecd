import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveWorker } from '#workers/runtime/worker/workerProcess.ts';

serveWorker(join(dirname(fileURLToPath(import.meta.url)), 'fixtureExecutor.js'));
