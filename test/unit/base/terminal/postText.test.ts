import { createServer, type RequestListener, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { postText } from '#src/base/terminal/postText.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
}

const echo: RequestListener = async (request, response) => {
  response.setHeader('warren-token', 'unknown');
  response.end(`${request.method} ${request.url} ${request.headers['x-own']} ${await text(request)}`);
};
const post = (url: string, signal = AbortSignal.timeout(10_000)) =>
  postText(url, { headers: { 'x-own': 'mine' }, body: 'größer', signal });

test('sends the text with its headers, and gives back status, headers and text', async () => {
  const answer = await post(`${await serve(echo)}/graphql`);
  expect([answer.status, answer.text]).toEqual([200, 'POST /graphql mine größer']);
  expect([answer.header('warren-token'), answer.header('x-other')]).toEqual(['unknown', null]);
});

test('unpacks what a proxy has packed', async () => {
  const url = await serve((_, response) => {
    response.writeHead(502, { 'content-encoding': 'gzip' }).end(gzipSync('größer'));
  });
  expect(await post(url)).toMatchObject({ status: 502, text: 'größer' });
});

test('goes where the address leads', async () => {
  const target = await serve(echo);
  const url = await serve((_, response) => void response.writeHead(307, { location: `${target}/there` }).end());
  expect(await post(url)).toMatchObject({ status: 200, text: 'POST /there mine größer' });
});

test('fails where nobody listens, where the connection breaks, and where the time is over', async () => {
  const url = await serve((_, response) => void response.writeHead(200, { 'content-length': 9 }).write('half'));
  const silent = await serve(() => {});
  for (const slow of [url, silent]) {
    await expect(post(slow, AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' });
  }
  const broken = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 9 }).write('half', () => response.destroy());
  });
  await expect(post(broken)).rejects.toThrow();
  const server = servers.pop();
  await new Promise((resolve) => server?.close(resolve));
  await expect(post(broken)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
