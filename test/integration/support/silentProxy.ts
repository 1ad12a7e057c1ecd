import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { atEndOfFile } from './atEndOfFile.ts';

export interface SilentProxy {
  /** The target's address, with the proxy's host and port. */
  url: string;
  /**
   * From now on nothing passes over the connections that are open, in either direction, and neither side is told: as when
   * a firewall forgets them, or a host vanishes.
   */
  silence(): void;
  /** Whether connections made from now on are silent, too; at first they are not. */
  silenceNew(silent: boolean): void;
}

/** A TCP proxy before a real server, which can fall silent. It ends after the tests of this file. */
export async function silentProxy(targetUrl: string): Promise<SilentProxy> {
  const target = new URL(targetUrl);
  const open = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let newAreSilent = false;

  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  };
  const forward = (from: Socket, to: Socket): void => {
    from.on('data', (bytes) => {
      if (!silent.has(from)) to.write(bytes);
    });
    for (const event of ['end', 'close'] as const) {
      from.on(event, () => {
        if (!silent.has(from)) to.end();
      });
    }
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      keep(socket);
      if (newAreSilent) silent.add(socket);
    }
    forward(client, upstream);
    forward(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfFile(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence: () => {
      for (const socket of open) silent.add(socket);
    },
    silenceNew: (value) => {
      newAreSilent = value;
    },
  };
}
