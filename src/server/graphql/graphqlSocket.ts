import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { useServer as serveSockets } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { LIMITS } from '#src/base/graphql/limits.ts';
import type { RequestGuard } from '../access/requestGuard.ts';
import { type ConnectionParameters, type SocketOperationOptions, socketOperations } from './socketOperations.ts';

const KEEP_ALIVE_MS = 12_000;
/** Sockets of one process. */
const MAXIMUM_SOCKETS = 2_000;
/** Clients have this long to close their side. */
const CLOSE_MS = 1_000;

export interface GraphqlSocketOptions extends SocketOperationOptions {
  server: Server;
  guard: RequestGuard;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** GraphQL over WebSocket at `/graphql` (protocol graphql-transport-ws). Returns what closes every socket. */
export function createGraphqlSocket({ server, guard, ...options }: GraphqlSocketOptions): { close(): Promise<void> } {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.socketMessageBytes,
    perMessageDeflate: false,
  });
  // in production mode it keeps what went wrong inside out of the reason of a close
  const operations = { ...socketOperations(options), isProd: true };
  const served = serveSockets<ConnectionParameters>(operations, sockets, KEEP_ALIVE_MS);

  function open(socket: WebSocket, request: IncomingMessage): void {
    sockets.emit('connection', socket, request);
    // ws closes a socket that breaks its rules by itself; the binding would print the stack of each
    socket.removeAllListeners('error');
    socket.on('error', () => {});
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const path = (request.url ?? '').split('?')[0];
    if (path !== '/graphql') refuse(socket, '404 Not Found');
    else if (!guard.hostAllowed(request) || !guard.originAllowed(request)) refuse(socket, '403 Forbidden');
    else if (sockets.clients.size >= MAXIMUM_SOCKETS) refuse(socket, '503 Service Unavailable');
    else sockets.handleUpgrade(request, socket, head, (opened) => open(opened, request));
  }
  server.on('upgrade', onUpgrade);

  return {
    async close() {
      server.off('upgrade', onUpgrade);
      const patience = setTimeout(() => {
        for (const client of sockets.clients) client.terminate();
      }, CLOSE_MS);
      await served.dispose();
      clearTimeout(patience);
    },
  };
}
