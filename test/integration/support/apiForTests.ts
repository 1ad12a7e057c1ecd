import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from 'graphql-ws';
import { atEndOfFile } from './atEndOfFile.ts';
import { WebSocket } from 'ws';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import type { ServerOptions, WarrenServer } from '#src/server/serverOptions.ts';
import { startServer } from '#src/server/startServer.ts';
import { postgresForTests } from './postgresForTests.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import type { TestDatabases } from './testDatabases.ts';

export interface GraphqlAnswer {
  status: number;
  /** As it came over the wire: a test says what it expects to find. */
  data: ReturnType<typeof JSON.parse>;
  errors: { message: string; path?: (string | number)[]; extensions: { code: string; path?: string; id?: string } }[];
}

export interface TestApi {
  server: WarrenServer;
  postgres: TestDatabases;
  url: string;
  artifactFolder: string;
  graphql(query: string, variables?: Record<string, unknown>, headers?: Record<string, string>): Promise<GraphqlAnswer>;
  /** The data alone; an error fails the test. */
  ok(query: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer['data']>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  socket(options?: { token?: string; origin?: string }): Client;
}

export interface TestApiOptions extends Partial<ServerOptions> {
  postgres?: TestDatabases;
}

/**
 * Warren's real API in this process, over a real database of its own, ended after the tests of this file. Use at the top
 * of a file: `const api = await apiForTests()`.
 */
export async function apiForTests({ postgres: given, ...options }: TestApiOptions = {}): Promise<TestApi> {
  const postgres = given ?? (await postgresForTests());
  const folder = temporaryFolder();
  const artifactFolder = join(folder, 'artifacts');
  const dashboardFolder = join(folder, 'web');
  mkdirSync(join(dashboardFolder, 'assets'), { recursive: true });
  writeFileSync(join(dashboardFolder, 'index.html'), '<!doctype html><title>Warren</title>');
  writeFileSync(join(dashboardFolder, 'assets', 'main-abc123.js'), 'export {};');
  const server = await startServer({
    databaseUrl: postgres.url,
    redisUrl: null,
    queuePrefix: 'warren',
    host: '127.0.0.1',
    port: 0,
    orNextPort: false,
    origins: [],
    requireToken: false,
    artifacts: artifactFolder,
    dashboardFolder,
    clientFolder: join(projectRoot(), 'dist', 'clients'),
    logger: createLogger('api', 'silent'),
    ...options,
  });
  atEndOfFile(() => server.close());
  return { server, postgres, url: server.url, artifactFolder, ...clientOf(server.url) };
}

/** The JSON of an answer, as it came over the wire. */
export async function jsonOf(response: Response): Promise<GraphqlAnswer['data']> {
  return JSON.parse(await response.text());
}

/** Ways to talk to an API at an address. */
export function clientOf(url: string): Pick<TestApi, 'graphql' | 'ok' | 'fetch' | 'socket'> {
  const graphql: TestApi['graphql'] = async (query, variables = {}, headers = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    const body = JSON.parse(await response.text());
    return { status: response.status, data: body.data, errors: body.errors ?? [] };
  };
  return {
    graphql,
    async ok(query, variables) {
      const { data, errors } = await graphql(query, variables);
      if (errors.length > 0) throw new Error(JSON.stringify(errors));
      return data;
    },
    fetch: (path, init) => fetch(`${url}${path}`, init),
    socket: ({ token, origin } = {}) =>
      createClient({
        url: `${url.replace('http', 'ws')}/graphql`,
        webSocketImpl: class extends WebSocket {
          constructor(address: string, protocols: string) {
            super(address, protocols, origin === undefined ? {} : { origin });
          }
        },
        connectionParams: token === undefined ? {} : { token },
        retryAttempts: 0,
      }),
  };
}
