import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { knownPostgresAccount, type PostgresAccount } from './embedded/postgresAccount.ts';
import { innerDataFolder } from './embedded/postgresRecord.ts';

const OTHERS = 0o007;
const OWNER_ALONE = 0o700;
/** The group may pass through to what is its own, without seeing what else is there. */
const GROUP_PASSES = 0o710;
const ADVICE = 'set WARREN_HOME to a folder that you may write to';

/**
 * Makes Warren's home where it is missing, for its owner alone: it holds passwords, artifacts and logs. One that others may
 * look into, as earlier versions made it, is closed; one that was opened to a group on purpose stays as it is.
 * @param account Who runs the embedded PostgreSQL, when that is another user, who must reach the data in the home. One that
 *   root makes can be reached by the system's `postgres` user in any case: `warren up` may come later.
 * @throws WarrenError BAD_INPUT where the home is no folder, or none can be made there.
 */
export function makePrivateHome(home: string, account: PostgresAccount = null): void {
  const isNew = !existsSync(home);
  if (isNew) makeFolders(home);
  const found = statSync(home);
  if (!found.isDirectory()) throw badInput(`${home} is no folder; ${ADVICE}`, 'WARREN_HOME');
  const { mode, uid } = found;
  if (process.getuid === undefined || uid !== process.getuid()) return;
  if (!isNew && (mode & OTHERS) === 0) return;
  const other = account ?? (isNew && uid === 0 ? knownPostgresAccount() : null);
  const group = other?.gid ?? foreignGroup(home, uid);
  if (group === null) chmodSync(home, OWNER_ALONE);
  else {
    chownSync(home, uid, group);
    chmodSync(home, GROUP_PASSES);
  }
}

/** Makes a folder and those above it that are missing. One by one: where nobody may, as in /proc, Node tries `recursive` forever. */
function makeFolders(folder: string): void {
  const above = dirname(folder);
  if (!existsSync(above)) makeFolders(above);
  try {
    mkdirSync(folder, { mode: OWNER_ALONE });
  } catch (thrown) {
    if (existsSync(folder)) return;
    throw badInput(`the folder ${folder} cannot be made (${coerceError(thrown).message}); ${ADVICE}`, 'WARREN_HOME');
  }
}

/** The group of the data in this home, where another user runs PostgreSQL on them. */
function foreignGroup(home: string, owner: number): number | null {
  const folder = innerDataFolder(home);
  if (!existsSync(folder)) return null;
  const { uid, gid } = statSync(folder);
  return uid === owner ? null : gid;
}
