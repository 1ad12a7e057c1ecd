import { builtFile } from '#src/base/lib/projectRoot.ts';
import { serveWorker } from './workerProcess.ts';

serveWorker(builtFile('executor.js'));
