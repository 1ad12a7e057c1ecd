import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endWhenDegraded } from '#src/cli/up/endWhenDegraded.ts';
import type { RunningService, ServiceEnd } from '#src/cli/up/supervise.ts';
import { waitUntil } from '#test/integration/support/waitUntil.ts';

let status = 200;
let asked = 0;
const server = createServer((_request, response) => {
  asked += 1;
  response.writeHead(status).end();
});
let readyUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  readyUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`;
});
afterAll(() => server.close());

it('ends a service that stays degraded, and only while its servers answer', async () => {
  const events: string[] = [];
  let end: (end: ServiceEnd) => void = () => {};
  const service: RunningService = {
    ended: new Promise((resolve) => {
      end = resolve;
    }),
    stop: async () => {
      events.push('stop');
      end({ how: 'asked', hopeless: false });
    },
    kill: () => events.push('kill'),
  };
  let reachable = false;
  endWhenDegraded(service, {
    readyUrl,
    serversAnswer: async () => {
      events.push('asked servers');
      return reachable;
    },
    say: (line) => events.push(line),
    patienceMs: 2_000,
    everyMs: 300,
  });
  await waitUntil('a few answers', () => asked > 3);
  expect(events).toEqual([]);
  status = 503;
  await waitUntil('its servers are asked', () => events.length > 0);
  expect(new Set(events)).toEqual(new Set(['asked servers']));
  reachable = true;
  await service.ended;
  expect(events.slice(-2)).toEqual(['the api has not been well for 2 s, though its servers answer: ending it', 'stop']);
});
