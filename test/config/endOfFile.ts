// Runs with each test file that has services. What such a file starts beside its own servers ends with it: modules are
// loaded once for several files, so that they cannot say so themselves.
import { afterAll } from 'vitest';
import { closeBrowser } from '../browser/support/chromium.ts';
import { endPrograms } from '../integration/runtime/testWorkers.ts';

afterAll(endPrograms);
afterAll(closeBrowser);
