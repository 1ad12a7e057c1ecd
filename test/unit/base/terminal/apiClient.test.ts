import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createApiClient } from '#src/base/terminal/apiClient.ts';
import { TypedDocumentString } from '#src/generated/api.ts';

test('an API that takes too long is said to be busy, not absent', async () => {
  const silent = createServer();
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void silent.close());
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const ask = async (timeoutMs: number) =>
    await createApiClient({ url: `http://127.0.0.1:${port}`, token: null, timeoutMs }).request(
      new TypedDocumentString('{ serverInfo { version } }'),
      {},
    );
  await expect(ask(50)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/has not answered in time: it may be busy, so try again/),
  });
});
