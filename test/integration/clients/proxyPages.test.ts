import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { transportTo } from '#clients/typescript/core/transport.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { atEndOfFile } from '../support/atEndOfFile.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const PAGE =
  '<html>\r\n<head><title>502 Bad\r\n Gateway</title></head>\r\n<body><center>nginx</center></body>\r\n</html>';
const port = await freePort(0);
const proxy = createServer(
  (_request, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end(PAGE),
);
await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
atEndOfFile(() => void proxy.close());
const server = `http://127.0.0.1:${port}`;

it('of a proxy whose server is away, the Node client tells the title of its page', async () => {
  const asked = transportTo(server, null).download('1', 'notes.txt');
  await expect(asked).rejects.toThrow(`${server} answers 502: 502 Bad Gateway`);
});

const python = pythonForTests({ WARREN_API_URL: server });
it.skipIf(python === null)('and so does the Python client', async () => {
  const script = `
from warren.transport import Transport
try:
    Transport("${server}", None).graphql("{ server { version } }", {})
except Exception as error:
    print(error)
`;
  expect((await python!.run(script)).trim()).toBe(`${server} answers 502: 502 Bad Gateway`);
});
