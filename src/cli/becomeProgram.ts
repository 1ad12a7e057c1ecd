import { pathToFileURL } from 'node:url';
import { WarrenError } from '../base/contracts/errors.ts';
import { readEnvironment } from '../base/platform/environment.ts';
import type { CommandContext } from '../base/terminal/commandContext.ts';
import { findServices } from '../base/terminal/findServices.ts';

/**
 * Runs the built program `path` in this process, which it becomes: signals, logs and the exit code are the program's own.
 * @param variables set in the environment before it starts; the database and the API of the `warren up` in this home are
 *   added where the environment names none.
 */
export async function becomeProgram(
  context: CommandContext,
  path: string,
  variables: Record<string, string>,
): Promise<void> {
  const environment = readEnvironment({ ...process.env, ...variables });
  const services = await findServices(environment);
  if (services === null) {
    throw new WarrenError(
      'UNAVAILABLE',
      `no database: set DATABASE_URL (${environment.home} has no running \`warren up\` to join)`,
    );
  }
  const found = {
    DATABASE_URL: services.databaseUrl,
    ...(services.redisUrl === null ? {} : { REDIS_URL: services.redisUrl }),
    ...(services.apiUrl === null ? {} : { WARREN_API_URL: services.apiUrl }),
    ...(services.token === null ? {} : { WARREN_TOKEN: services.token }),
    // where everybody may do everything, programs may, too
    ...(services.asksTokens ? {} : { WARREN_TRUST_COMMANDS: '1' }),
  };
  Object.assign(process.env, found, variables);
  process.argv = [process.execPath, path];
  context.terminal.out.removeAllListeners('error');
  await import(pathToFileURL(path).href);
}
