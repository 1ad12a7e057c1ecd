import { expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { claimMessages, insertMessage } from '#src/outgoing/store/messageRecord.ts';
import { atEndOfFile } from '../support/atEndOfFile.ts';
import { postgresForTests } from '../support/postgresForTests.ts';

const postgres = await postgresForTests();
const db = openDatabase(postgres.url, { poolSize: 2 });
atEndOfFile(() => closeDatabase(db));

const MINUTE_MS = 60_000;
/** A first attempt at once, a second one within a minute, a third one within an hour. */
const LONGEST_MS = [0, MINUTE_MS, 60 * MINUTE_MS];

test('messages that wait longer than they can, since the clock was put back, are due; others wait', async () => {
  const ids = new Map<string, string>();
  for (const [name, attempts, dueMinutes] of [
    ['new', 0, 0],
    ['new, put back two hours', 0, 120],
    ['tried, put back two hours', 1, 121],
    ['tried', 1, 1],
    ['tried twice', 2, 60],
    ['tried twice, put back two hours', 2, 150],
    ['tried more often than is known', 3, 600],
  ] as const) {
    const channel = { type: 'webhook', url: 'http://127.0.0.1:9', secret: 'whsec_AAAA' } as const;
    const content = { type: 'alert', title: name, text: '', data: {} };
    const id = await insertMessage(db, { channel, content, sourceId: null });
    ids.set(id, name);
    await db.$executeRaw`
      UPDATE outgoing_message SET attempts = ${attempts}::int, due_at = now() + ${dueMinutes}::int * interval '1 minute'
      WHERE id = ${id}::uuid`;
  }
  const claim = { most: 10, holdMs: 12_000, longestMs: LONGEST_MS };
  const claimed = await claimMessages(db, claim);
  expect(claimed.map(({ id }) => ids.get(id)).sort()).toEqual([
    'new',
    'new, put back two hours',
    'tried twice, put back two hours',
    'tried, put back two hours',
  ]);
  expect(await claimMessages(db, claim)).toEqual([]);
});
