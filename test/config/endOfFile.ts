// Runs with each test file. What support modules start ends with it: they are loaded once for several files, so that they
// cannot ask for that when they are loaded.
import { afterAll } from 'vitest';
import { endFile } from '../integration/support/atEndOfFile.ts';
import { processorMsSinceLast } from './processorTime.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds of processor time of a test file, with those of what it started. */
    processorMs?: number;
  }
}

// biome-ignore lint/correctness/noEmptyPattern: vitest demands a pattern, and hands the file over beside it
afterAll(async ({}, file) => {
  await endFile();
  file.meta.processorMs = processorMsSinceLast();
});
