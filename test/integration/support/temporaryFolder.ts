import { rmSync } from 'node:fs';
import { atEndOfFile } from './atEndOfFile.ts';
import { watchedFolder } from './watchedFolder.ts';

/**
 * A folder of this test file alone, removed after its tests together with what still runs in it, however they end. Call it
 * at the top of a file or in a `describe`, before starting what lives in it.
 */
export function temporaryFolder(): string {
  const folder = watchedFolder();
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
