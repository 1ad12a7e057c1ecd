import { closeDatabase, openDatabase } from '../../platform/database.ts';
import { issueToken, listTokens, revokeToken } from '../../services/issueToken.ts';

/** The token by which the workers of `warren up`, and this machine's command line, speak to an API that asks for one. */
const NAME = 'warren up';

/** Makes that token anew: those of earlier starts are void from now on. */
export async function internalToken(databaseUrl: string): Promise<string> {
  const db = openDatabase(databaseUrl, { poolSize: 1 });
  try {
    const held = (await listTokens({ db })).some((token) => token.name === NAME && token.revokedAt === null);
    if (held) await revokeToken({ db }, NAME);
    return (await issueToken({ db }, { name: NAME, role: 'ADMIN' })).token;
  } finally {
    await closeDatabase(db);
  }
}

/** Whether a server bound to `host` can be reached from this machine alone, so that it asks for no token. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
