import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KNOWN_FINGERPRINTS } from '#src/catalog/datasetFingerprints.ts';
import type { StudyArm } from '#src/catalog/studies/study.ts';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { planStudy, reproduceStudy } from '#src/studies/reproduceStudy.ts';
import { studyReport } from '#src/studies/studyReports.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { TINY_STUDY } from '#test/unit/studies/studyForTests.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { executeRuns } from '../services/executeRuns.ts';
import { aWorker, servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const artifacts = await openArtifactStore(join(temporaryFolder(), 'artifacts'));
const look = async () => await studyReport({ ...context, artifacts }, TINY_STUDY);

const execute = async (runs: readonly RunRecord[], leaves: (run: RunRecord) => number, fingerprint?: string) =>
  await executeRuns(context, runs, {
    metrics: (run) => ({ 'test/ndcg@10': leaves(run) }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  });
const value = ({ name, seed }: RunRecord) => (name.includes('sasrec') ? 0.3 : 0.25) + seed / 1000;

test('a study queues what it lacks, reuses what is there, computes anew when asked, and audits', async () => {
  const columns = ['sasrec', 'gru4rec'];
  const asked = { columns, seeds: [1, 2], budget: 'paper' } as const;
  const planned = await planStudy(context, TINY_STUDY, asked);
  expect(planned.plan.queue.map(({ arm, seed, minutes }) => [arm.name, seed, minutes])).toEqual([
    ['sasrec', 1, 10],
    ['gru4rec', 1, 20],
    ['sasrec', 2, 10],
    ['gru4rec', 2, 20],
  ]);
  expect(await look()).toMatchObject({ state: 'NOT_RUN' });
  const first = await reproduceStudy(context, TINY_STUDY, { ...asked, project: 'night' });
  expect(first.queued.map(({ name, seed, tags }) => [name, seed, tags])).toEqual(
    [1, 2].flatMap((seed) => columns.map((arm) => [`overrec/table-0 · ${arm}`, seed, ['study:overrec/table-0']])),
  );
  expect([first.minutes, planned.minutes]).toEqual([60, 60]);
  // a second call, and one at the same time, queue nothing
  const again = await Promise.all(
    [1, 2].map(() => reproduceStudy(context, TINY_STUDY, { columns, seeds: [1, 2], budget: 'paper' })),
  );
  expect(again.map(({ queued, plan }) => [queued.length, plan.underWay.length])).toEqual([
    [0, 4],
    [0, 4],
  ]);
  expect(await look()).toMatchObject({ state: 'RUNNING' });

  await execute(first.queued, value);
  const done = await look();
  expect(done).toMatchObject({ state: 'PARTLY', provenance: { commits: ['c0ffee'], machines: ['two cores'] } });
  expect(done.cells[0]).toMatchObject({ verdict: 'AGREES', n: 2, mean: expect.closeTo(30.15) });
  expect(done.cells[0]!.runs.map(({ number }) => number)).toEqual([first.queued[0]!.number, first.queued[2]!.number]);

  const reused = await reproduceStudy(context, TINY_STUDY, { columns, seeds: [1, 2], budget: 'paper' });
  expect(reused).toMatchObject({ queued: [], minutes: 0 });
  expect(reused.plan.reused).toHaveLength(4);
  const fresh = await reproduceStudy(context, TINY_STUDY, {
    columns: ['sasrec'],
    seeds: [1],
    budget: 'paper',
    fresh: true,
  });
  expect(fresh.queued).toHaveLength(1);
  await execute(fresh.queued, () => 0.2);
  expect((await look()).cells[0]!.runs[0]!.number).toBe(fresh.queued[0]!.number);

  const audit = await reproduceStudy(context, TINY_STUDY, {
    columns: ['gru4rec'],
    seeds: [1, 2],
    budget: 'paper',
    audit: 1,
  });
  expect(audit.queued.map(({ tags }) => tags[1])).toEqual(
    expect.arrayContaining(audit.plan.reused.map(({ number }) => `audit:${number}`)),
  );
  await execute(audit.queued, (run) => (run.seed === 1 ? value(run) : 0.5));
  const { audits, cells } = await look();
  expect(audits.map(({ seed, agrees }) => [seed, agrees])).toEqual(
    expect.arrayContaining([
      [1, true],
      [2, false],
    ]),
  );
  expect(cells[1]).toMatchObject({ n: 2, mean: expect.closeTo(25.15) });
});

test('a run on other content of the dataset does not serve', async () => {
  const [run] = (await reproduceStudy(context, TINY_STUDY, { columns: ['knn'] })).queued;
  await execute([run!], () => 0.1, '0'.repeat(64));
  // the newest content is the right one where the catalog knows none
  expect((await look()).cells[2]!.verdict).toBe('AGREES');
  expect((await look()).cells[0]!.verdict).toBe('NOT_RUN');
});

test('a run on a known file serves where no worker has met that file yet', async () => {
  const kernel: StudyArm = { ...TINY_STUDY.arms[2]!, kind: 'rntk-classification', dataset: 'ucr/Strawberry' };
  const study = { ...TINY_STUDY, arms: TINY_STUDY.arms.map((arm) => (arm.name === 'knn' ? kernel : arm)) };
  const { queued } = await reproduceStudy(context, study, { columns: ['knn'] });
  await execute(queued, () => 0.1, KNOWN_FINGERPRINTS['strawberry-train.tsv']!);
  const again = await reproduceStudy(context, study, { columns: ['knn'] });
  expect([queued.length, again.queued.length, again.plan.reused.length]).toEqual([1, 0, 1]);
});

test('a finished run serves though the workers round otherwise', async () => {
  const again = async () => await reproduceStudy(context, TINY_STUDY, { columns: ['knn'], seeds: [1] });
  const { queued } = await reproduceStudy(context, TINY_STUDY, { columns: ['knn'], seeds: [1], fresh: true });
  // the content that the test above has made the newest
  await execute(queued, () => 0.1, '0'.repeat(64));
  await aWorker(context, 'fused', { details: { arithmetic: 'fused' } });
  const { plan } = await again();
  expect([plan.queue.length, plan.reused.map(({ number }) => number)]).toEqual([0, [queued[0]!.number]]);
});

test('what cannot be is refused, and nothing is queued', async () => {
  await expect(reproduceStudy(context, TINY_STUDY, { columns: ['mf'] })).rejects.toThrow('there is no column "mf"');
  await expect(reproduceStudy(context, TINY_STUDY, { audit: 5 })).rejects.toThrow('expected a part from 0 to 1');
  await expect(reproduceStudy(context, TINY_STUDY, { minutes: 5, budget: 'paper' })).rejects.toThrow('not both');
});
