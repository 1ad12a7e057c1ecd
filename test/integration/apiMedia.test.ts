import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { logMedia } from '#src/media/logMedia.ts';
import { listMediaSeries } from '#src/media/store/mediaRecord.ts';
import { apiForTests } from './support/apiForTests.ts';
import { createExternalRun } from './support/externalRunCalls.ts';

const api = await apiForTests();

const LOG = 'mutation ($runId: ID!, $items: [MediaInput!]!) { logMedia(runId: $runId, items: $items) }';

/** Sends a content of a run and returns its sha256. */
async function send(runId: string, content: string, mediaType: string): Promise<string> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const headers = { 'content-type': mediaType };
  const answer = await api.fetch(`/artifacts/${runId}/media/${sha256}`, { method: 'PUT', body: content, headers });
  expect(answer.status).toBe(201);
  return sha256;
}

test('media are recorded once, paged by name, step and index, and refused with what is wrong', async () => {
  const runId = await createExternalRun(api);
  const sha256 = await send(runId, 'hello', 'text/plain');
  const items = [3, 1, 2].flatMap((step) =>
    [0, 1].map((index) => ({ name: 'a/text', step, index, kind: 'text', sha256 })),
  );
  expect((await api.ok(LOG, { runId, items })).logMedia).toBe(6);
  expect((await api.ok(LOG, { runId, items })).logMedia).toBe(0);
  const page = `query ($id: ID!, $after: ID, $from: Step, $to: Step) {
    run(id: $id) { media(first: 4, after: $after, fromStep: $from, toStep: $to) { id step index } } }`;
  const first = (await api.ok(page, { id: runId })).run.media;
  const rest = (await api.ok(page, { id: runId, after: first.at(-1).id })).run.media;
  expect([...first, ...rest].map(({ step, index }) => [step, index])).toEqual([
    [1, 0],
    [1, 1],
    [2, 0],
    [2, 1],
    [3, 0],
    [3, 1],
  ]);
  expect((await api.ok(page, { id: runId, from: 2, to: 2 })).run.media).toHaveLength(2);

  const wrong: [Record<string, unknown>, string][] = [
    [{ name: '', step: 0, kind: 'text', sha256 }, 'items[0].name: 1 to 500 characters, received 0'],
    [{ name: 'a', step: 0, kind: 'text' }, 'items[0].sha256: expected the 64 hexadecimal digits'],
    [
      { name: 'a', step: 0, kind: 'text', metadata: { text: 'x'.repeat(5_001) } },
      'items[0].metadata.text: expected at most 5,000 characters; a longer text is sent as content',
    ],
    [
      { name: 'a', step: 0, kind: 'text', sha256: '0'.repeat(64) },
      'items[0].sha256: the run has no such content: send it with PUT',
    ],
    [
      { name: 'a', step: 0, kind: 'histogram', metadata: { edges: [1, 2], counts: [1, 2] } },
      'one more edge than counts',
    ],
    [
      { name: 'a', step: 0, kind: 'image', sha256, index: 100_000 },
      'items[0].index: 100000 is not a whole number from 0 to 99999',
    ],
    [{ name: 'a', step: 0, kind: 'image', sha256, metadata: [1] }, 'items[0].metadata: expected an object'],
  ];
  for (const [item, message] of wrong) {
    const { errors } = await api.graphql(LOG, { runId, items: [item] });
    expect(errors[0]?.extensions.code, message).toBe('BAD_INPUT');
    expect(errors[0]?.message).toContain(message);
  }
  const lie = await api.fetch(`/artifacts/${runId}/media/${'0'.repeat(64)}`, { method: 'PUT', body: 'other' });
  expect([lie.status, await lie.text()]).toEqual([400, expect.stringContaining("content's sha256 is")]);
  await api.ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: runId });
  expect((await api.graphql(LOG, { runId, items: [items[0]] })).errors[0]?.extensions.code).toBe('CONFLICT');
});

test('many steps are thinned to some with the first and the last, and no run has media without bound', async () => {
  const db = openDatabase(api.postgres.url, { poolSize: 1 });
  const runId = await createExternalRun(api);
  const metadata = { edges: [0, 1], counts: [1] };
  const histograms = (steps: number[]) =>
    steps.map((step) => ({ name: 'weights', step, kind: 'histogram' as const, metadata }));
  await logMedia({ db }, { runId, items: histograms([2, 3, 5, 8, 13, 21]) });
  const stepsOf = async (most: number) => (await listMediaSeries(db, [runId], most))[0];
  expect(await stepsOf(6)).toMatchObject({ count: 6, steps: [2, 3, 5, 8, 13, 21] });
  expect(await stepsOf(3)).toMatchObject({ count: 6, steps: [2, 8, 21] });
  const most = 7;
  await expect(logMedia({ db }, { runId, items: histograms([34, 55]) }, most)).rejects.toThrow('at most 7 media');
  expect(await logMedia({ db }, { runId, items: histograms([21, 34]) }, most)).toBe(1);
  await closeDatabase(db);
});

test('an upload is shown with its ticket only, in a sandbox, as a type that it cannot choose', async () => {
  const runId = await createExternalRun(api);
  const contents = [
    ['<script>alert(1)</script>', 'text/html', 'text/html; charset=utf-8'],
    ['alert(1)', 'text/javascript', 'text/plain; charset=utf-8'],
    ['<x/>', 'application/xhtml+xml', 'application/octet-stream'],
    ['<svg/>', 'image/svg+xml', 'image/svg+xml'],
  ] as const;
  for (const [place, [content, type, shown]] of contents.entries()) {
    const sha256 = await send(runId, content, type);
    await api.ok(LOG, { runId, items: [{ name: 'x', step: 0, index: place, kind: 'file', sha256 }] });
    const { media } = (await api.ok('query ($id: ID!) { run(id: $id) { media { index url } } }', { id: runId })).run;
    const { url } = media[place];
    const answer = await api.fetch(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(shown);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*; sandbox$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    for (const forged of [
      url.split('?')[0],
      url.replace(/\.[\w-]+$/, `.${'A'.repeat(43)}`),
      url.replace(sha256, '0'.repeat(64)),
    ]) {
      expect((await api.fetch(forged)).status, forged).toBe(403);
    }
  }
});
