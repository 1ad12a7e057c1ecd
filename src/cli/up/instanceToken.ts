import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { extendToken, issueToken, revokeToken } from '#src/people/apiTokens.ts';

/** The token by which this machine's command line speaks to the API of a `warren up` that asks for one. */
export interface InstanceToken {
  token: string;
  /** Ends it now. When the database is away, it ends by itself soon after. */
  revoke(): Promise<void>;
}

/** After a `kill -9` it still opens something for this long at most. */
const LIFETIME_MS = 15 * 60_000;
const EXTEND_EVERY_MS = 60_000;
const REVOKE_MS = 2_000;

/**
 * Makes the token of the `warren up` in `home`: it may queue and log, pause the queue and drain workers, and
 * queue commands where the workers execute them, not make tokens. What an earlier one in that home
 * left is void from now on; those of other homes, which may share the database, stay.
 */
export async function issueInstanceToken(
  databaseUrl: string,
  { home, allowCommands }: Pick<Environment, 'home' | 'allowCommands'>,
): Promise<InstanceToken> {
  const db = openDatabase(databaseUrl, { poolSize: 1 });
  const end = () => new Date(Date.now() + LIFETIME_MS);
  try {
    const name = instanceName(home);
    await revokeToken({ db }, name).catch(() => {}); // there is none, or else the next line fails
    const { token, record } = await issueToken(
      { db },
      {
        name,
        role: 'WRITE',
        mayQueueCommands: allowCommands,
        mayManageQueue: true,
        expiresAt: end(),
      },
    );
    const timer = setInterval(() => {
      // A database that is away is back before the token ends, or the next time.
      extendToken({ db }, record.id, end()).catch(() => {});
    }, EXTEND_EVERY_MS);
    timer.unref();
    return {
      token,
      async revoke() {
        clearInterval(timer);
        const revoking = revokeToken({ db }, name).then(
          () => {},
          () => {},
        );
        await Promise.race([revoking, delay(REVOKE_MS, undefined, { ref: false })]);
        await closeDatabase(db);
      },
    };
  } catch (thrown) {
    await closeDatabase(db);
    throw thrown;
  }
}

/** The same at each start in a home, and different for each home and machine. */
function instanceName(home: string): string {
  const mark = createHash('sha256').update(home).digest('hex').slice(0, 8);
  return `warren up on ${hostname().slice(0, 60)} (${mark})`;
}
