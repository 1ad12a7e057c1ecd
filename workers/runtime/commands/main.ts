import { serveCommand } from './commandProcess.ts';

serveCommand();
