// Runs with each test file. What support modules start ends with it: they are loaded once for several files, so that they
// cannot ask for that when they are loaded.
import { afterAll } from 'vitest';
import { endFile } from '../integration/support/atEndOfFile.ts';

afterAll(endFile);
