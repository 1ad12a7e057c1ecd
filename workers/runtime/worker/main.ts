import { builtFile } from '#src/lib/projectRoot.ts';
import { serveWorker } from './workerProcess.ts';

serveWorker(builtFile('executor.js'));
