import { builtFile } from '#src/base/lib/projectRoot.ts';
import { serveExecutor } from './executorProcess.ts';

serveExecutor(builtFile('compute.js'));
