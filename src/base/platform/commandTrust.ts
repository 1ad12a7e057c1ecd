import { badInput } from '../contracts/errors.ts';
import type { Environment } from './environment.ts';

/**
 * Programs that run as the worker's own user may read what that user may: Warren's home with the database's password, the memory of the
 * worker. Where tokens are asked for, who may queue commands is not who may do that, so an admin says which of the two is meant.
 * @throws WarrenError BAD_INPUT where nobody has.
 */
export function requireTrustedCommands(
  { allowCommands, commandUser, trustCommands }: Pick<Environment, 'allowCommands' | 'commandUser' | 'trustCommands'>,
  { tokensAsked }: { tokensAsked: boolean },
): void {
  if (!allowCommands || commandUser !== null || trustCommands || !tokensAsked) return;
  const why =
    'programs that others queue would run as this user, and read the database’s password and everybody’s runs';
  const advice =
    'give them a user of their own (--command-user NAME, started by root), or say that all who may queue commands may do that (--trust-commands)';
  throw badInput(`--allow-commands: ${why}; ${advice}`, '--allow-commands');
}
