import { createServer } from 'node:net';
import { WarrenError } from '#src/base/contracts/errors.ts';

const ATTEMPTS = 100;

/**
 * The first port from `wanted` upwards that can be bound on `host` now; any free port when `wanted` is 0.
 * Another process may still take it before the caller does.
 * @throws WarrenError UNAVAILABLE when a hundred ports in a row are taken, or the host is not of this machine.
 */
export async function freePort(wanted: number, host = '127.0.0.1'): Promise<number> {
  if (wanted === 0) return bindOnce(0, host);
  for (let port = wanted; port < wanted + ATTEMPTS && port <= 65_535; port++) {
    try {
      return await bindOnce(port, host);
    } catch (thrown) {
      const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
      if (code === 'EADDRINUSE' || code === 'EACCES') continue;
      throw new WarrenError('UNAVAILABLE', `cannot bind ${host}: it is not an address of this machine`, {
        cause: thrown,
      });
    }
  }
  throw new WarrenError(
    'UNAVAILABLE',
    `ports ${wanted} to ${Math.min(wanted + ATTEMPTS - 1, 65_535)} of ${host} are taken`,
  );
}

function bindOnce(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}
