import { builtFile } from '#src/lib/projectRoot.ts';
import { serveExecutor } from './executorProcess.ts';

serveExecutor(builtFile('compute.js'));
