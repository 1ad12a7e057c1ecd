import { type Environment, readEnvironment } from '../platform/environment.ts';
import { readInstance, tokenFor } from '../platform/instance.ts';
import { type ApiClient, createApiClient } from './apiClient.ts';
import { createTerminal, type Terminal } from './terminal/terminal.ts';

/** What commands share; made lazily, so that `--help` needs no valid environment. */
export interface CommandContext {
  terminal: Terminal;
  environment(): Environment;
  /** The API named by WARREN_API_URL, else the one of the `warren up` that runs in this home, else the default address. */
  api(): Promise<ApiClient>;
}

export function createCommandContext(): CommandContext {
  let environment: Environment | undefined;
  const read = () => {
    environment ??= readEnvironment();
    return environment;
  };
  const terminal = createTerminal();
  return {
    terminal,
    environment: read,
    async api() {
      const { apiUrl, home, host, port, token } = read();
      const instance = await readInstance(home);
      const url = apiUrl ?? instance?.apiUrl;
      const address = url ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      return createApiClient({
        url: address,
        token: url === undefined ? token : (token ?? tokenFor(apiUrl, instance)),
        onUnknownToken: () =>
          terminal.say(
            `warren: ${address} does not know the token in WARREN_TOKEN; it needs none, and answers as to anybody`,
          ),
      });
    },
  };
}
