import type { Server } from 'node:http';
import { WarrenError } from '../base/contracts/errors.ts';

const PORTS_TRIED = 50;

export interface ListenOptions {
  host: string;
  port: number;
  /** Take the next free port when this one is busy, rather than fail. */
  orNext: boolean;
}

/**
 * Binds the server. @returns its port.
 * @throws WarrenError CONFLICT when the port is taken, BAD_INPUT when the host is not of this machine.
 */
export async function listenOn(server: Server, { host, port, orNext }: ListenOptions): Promise<number> {
  const last = orNext && port !== 0 ? Math.min(port + PORTS_TRIED, 65_535) : port;
  for (let candidate = port; candidate <= last; candidate++) {
    const failure = await tryToListen(server, host, candidate);
    if (failure === null) {
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : candidate;
    }
    if (failure.code === 'EADDRINUSE' || failure.code === 'EACCES') continue;
    throw new WarrenError('BAD_INPUT', `cannot listen on ${host}:${candidate}: ${failure.message}`, {
      path: 'WARREN_HOST',
      cause: failure,
    });
  }
  const taken = last === port ? `port ${port} of ${host} is` : `ports ${port} to ${last} of ${host} are all`;
  const advice = 'stop what uses it, or set WARREN_PORT to another (0 takes any free one)';
  throw new WarrenError('CONFLICT', `${taken} taken or forbidden: ${advice}`, { path: 'WARREN_PORT' });
}

function tryToListen(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) => {
      server.off('listening', onListening);
      resolve(error);
    };
    const onListening = () => {
      server.off('error', onError);
      resolve(null);
    };
    server.once('error', onError);
    server.once('listening', onListening);
    server.listen({ host, port, exclusive: true });
  });
}
