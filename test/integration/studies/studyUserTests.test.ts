import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Study } from '#src/catalog/studies/study.ts';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import type { StatementReport } from '#src/studies/verdicts/studyReport.ts';
import { reproduceStudy } from '#src/studies/reproduceStudy.ts';
import { studyReport } from '#src/studies/studyReports.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { TINY_STUDY } from '#test/unit/studies/studyForTests.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { executeRuns } from '../services/executeRuns.ts';
import { servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const folder = join(temporaryFolder(), 'artifacts');
const artifacts = await openArtifactStore(folder);

const put = async (content: string | Uint8Array) =>
  (await artifacts.put(Readable.from([Buffer.from(content)]), { maximumBytes: 10_000 })).sha256;
const ranks = (...values: number[]) => put(encodeNpy(Int32Array.from(values), [values.length, 1]));
const description = { dataset: 'd', fingerprint: 'f', part: 'test', cutoffs: [10], users: [1, 2, 3, 4] };
const told = await put(JSON.stringify(description));
const [good, fair, poor] = [await ranks(1, 1, 2, 1), await ranks(1, 2, 2, 3), await ranks(3, 1, 9, 4)];

const METRICS = ['test/ndcg@10', 'test/mrr@10'];

/** The first two methods against the third in one metric after the other. */
const claimsOf = (metrics: readonly string[]): Study['claims'] => [
  {
    name: 'above-knn',
    text: 'All are above kNN.',
    source: 'Section 0',
    statements: metrics.flatMap((metric) => ['sasrec', 'gru4rec'].map((above) => ({ above, below: 'knn', metric }))),
  },
];

const studyOf = (metrics: readonly string[]): Study => ({ ...TINY_STUDY, claims: claimsOf(metrics) });

/** One run of each method, which leaves the ranks given. */
async function execute(left: { sasrec: string; gru4rec: string; knn: string }): Promise<void> {
  const metrics = () => ({ 'test/ndcg@10': 0.3, 'test/mrr@10': 0.2 });
  for (const [column, ranked] of Object.entries(left)) {
    const asked = { columns: [column], budget: 'paper', seeds: [1], fresh: true } as const;
    const { queued } = await reproduceStudy(context, studyOf(METRICS), asked);
    const files = () => ({ 'per-user-ranks.npy': ranked, 'per-user-ranks.json': told });
    await executeRuns(context, queued, { metrics, files });
  }
}

const statements = async (study: Study) =>
  (await studyReport({ ...context, artifacts }, study)).claims.flatMap((claim) => claim.statements);

test('several methods are tested over users in several metrics, each as by itself', async () => {
  await execute({ sasrec: good, gru4rec: fair, knn: poor });
  const bytesRead: string[] = [];
  const watched = {
    ...artifacts,
    read: (sha256: string, range: { start: number; end: number }) => {
      bytesRead.push(sha256);
      return artifacts.read(sha256, range);
    },
  };
  const report = await studyReport({ ...context, artifacts: watched }, studyOf(METRICS));
  const together = report.claims.flatMap((claim) => claim.statements);
  // its header, and all of it
  expect(bytesRead.filter((sha256) => sha256 === poor)).toHaveLength(2);
  expect(together.map(({ test: how }) => how)).toEqual(together.map(() => 'paired t-test over 4 users'));
  // differences in 1 / rank, (2/3 + 0 + (1/2 - 1/9) + 3/4) / 4
  expect(together[2]!.difference).toBeCloseTo((2 / 3 + (1 / 2 - 1 / 9) + 3 / 4) / 4, 12);

  await execute({ sasrec: good, gru4rec: fair, knn: poor });
  const alone: StatementReport[] = [];
  for (const metric of METRICS) alone.push(...(await statements(studyOf([metric]))));
  const numbers = ({ words, difference, low, high, p }: StatementReport) => ({ words, difference, low, high, p });
  expect(alone.map(numbers)).toEqual(together.map(numbers));
});

test('what could not be read for a while is tested as soon as it can be, and what is gone stays so', async () => {
  await execute({ sasrec: good, gru4rec: await ranks(9, 9, 9, 9), knn: poor });
  let passing = 0;
  const look = async () => {
    const options = { onPassing: () => passing++ };
    const report = await studyReport({ ...context, artifacts }, studyOf(['test/mrr@10']), options);
    return report.claims[0]!.statements.map(({ test: how, reason }) => how || reason);
  };
  const away = `${folder}-away`;
  await rename(folder, away);
  const reasons = await look();
  await rename(away, folder);
  expect(reasons).toEqual([0, 1].map(() => expect.stringContaining('is its disk mounted?')));
  expect(passing).toBe(1);

  const gone = await ranks(9, 9, 9, 9);
  await artifacts.remove(gone);
  const lasting = ['paired t-test over 4 users', expect.stringContaining('not in the artifact store any more')];
  expect(await look()).toEqual(lasting);
  expect(passing).toBe(1);
  await ranks(9, 9, 9, 9);
  expect(await look()).toEqual(lasting);
});
