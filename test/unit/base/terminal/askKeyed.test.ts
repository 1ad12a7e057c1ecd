import { expect, it } from 'vitest';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { askKeyed } from '#src/base/terminal/askKeyed.ts';
import { NOT_WARREN } from '#src/base/terminal/apiClient.ts';

const lost = new WarrenError('UNAVAILABLE', 'no Warren answers');
const refusedConnection = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const vacant = new WarrenError('UNAVAILABLE', 'no Warren answers', {
  cause: new TypeError('fetch failed', { cause: refusedConnection }),
});

/** Asks an API that answers with these errors, one after the other, and then well. */
async function asking(errors: readonly Error[], key?: string) {
  const keys: string[] = [];
  const said: string[] = [];
  const answer = askKeyed(
    async (given) => {
      keys.push(given);
      const error = errors[keys.length - 1];
      if (error !== undefined) throw error;
      return 'made';
    },
    { key, terminal: { say: (text) => void said.push(text) }, waitsMs: [0, 0] },
  );
  return { outcome: await answer.catch((error: unknown) => error), keys, said };
}

it('asks again with the same key where an answer was lost, or told of a failure', async () => {
  const { outcome, keys, said } = await asking([lost, new WarrenError('INTERNAL', 'internal error')]);
  expect([outcome, keys.length, new Set(keys).size, said.length]).toEqual(['made', 3, 1, 1]);
  // a server that restarts takes no connections for a while
  expect((await asking([lost, vacant])).outcome).toBe('made');
  expect((await asking([], 'mine')).keys).toEqual(['mine']);
});

it('names the key where no answer came', async () => {
  const { outcome, keys } = await asking([lost, lost, lost]);
  expect(outcome).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining(`--key ${keys[0]}`) });
  expect(keys).toHaveLength(3);
});

it.each([
  ['nothing was sent', vacant],
  ['it was refused', new WarrenError('BAD_INPUT', 'kind: unknown')],
  ['no Warren answered', new WarrenError('UNAVAILABLE', 'is not Warren', { path: NOT_WARREN })],
])('asks once where %s', async (_, error) => {
  const { outcome, keys, said } = await asking([error]);
  expect([outcome, keys.length, said]).toEqual([error, 1, []]);
});
