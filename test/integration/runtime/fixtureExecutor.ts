import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveExecutor } from '#workers/runtime/executor/executorProcess.ts';

serveExecutor(join(dirname(fileURLToPath(import.meta.url)), 'fixtureCompute.js'));
