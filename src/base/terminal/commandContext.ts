import { userName } from '../lib/userName.ts';
import { type Environment, readEnvironment } from '../platform/environment.ts';
import { readInstance, tokenFor } from '../platform/instance.ts';
import { type ApiClient, createApiClient } from './apiClient.ts';
import { catchInterruption, type Interruption } from './interruption.ts';
import type { Surroundings } from '#src/cli/surroundings.ts';
import { createTerminal, type Terminal } from './terminal.ts';

/** What commands share; made lazily, so that `--help` needs no valid environment. */
export interface CommandContext extends Pick<Surroundings, 'words' | 'variables' | 'input'> {
  terminal: Terminal;
  /** With which the command ends where nothing is thrown. */
  exitCode: number;
  environment(): Environment;
  /** The API named by WARREN_API_URL, else the one of the `warren up` that runs in this home, else the default address. */
  api(): Promise<ApiClient>;
  /** Catches the signals that end a process. A second one ends the command at once, after `lastly`. */
  catchInterruption(lastly?: () => void): Interruption;
}

export function createCommandContext(surroundings: Surroundings): CommandContext {
  const { words, variables, signals, exit } = surroundings;
  let environment: Environment | undefined;
  const read = () => {
    environment ??= readEnvironment(variables);
    return environment;
  };
  const terminal = createTerminal(surroundings);
  return {
    words,
    variables,
    get input() {
      return surroundings.input;
    },
    terminal,
    exitCode: 0,
    environment: read,
    async api() {
      const { apiUrl, home, host, port, token } = read();
      const instance = await readInstance(home);
      const url = apiUrl ?? instance?.apiUrl;
      const address = url ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      return createApiClient({
        url: address,
        token: url === undefined ? token : (token ?? tokenFor(apiUrl, instance)),
        user: userName(variables),
        onUnknownToken: () =>
          terminal.say(
            `warren: ${address} does not know the token in WARREN_TOKEN; it needs none, and answers as to anybody`,
          ),
      });
    },
    catchInterruption(lastly) {
      const interruption = catchInterruption(() => {
        lastly?.();
        exit(interruption.exitCode());
      }, signals);
      return interruption;
    },
  };
}
