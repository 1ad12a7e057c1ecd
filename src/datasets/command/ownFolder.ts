import { badInput } from '#src/base/contracts/errors.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { makePrivateHome } from '#src/base/platform/privateHome.ts';

/** Warren's own folder, in a home that is there; it is searched last. */
export function ownFolder({ home, dataFolders }: Environment): string {
  const own = dataFolders.at(-1);
  if (own === undefined) throw badInput('there is no data folder: set WARREN_HOME', 'WARREN_HOME');
  makePrivateHome(home);
  return own;
}
