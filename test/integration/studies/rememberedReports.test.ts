import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import type { StudyReport } from '#src/studies/verdicts/studyReport.ts';
import { deleteRuns, restoreRuns } from '#src/runs/deleteRuns.ts';
import { tagRuns } from '#src/runs/editRuns.ts';
import { retryRuns } from '#src/runs/retryRuns.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { rememberedReports } from '#src/studies/rememberedReports.ts';
import { reproduceStudy } from '#src/studies/reproduceStudy.ts';
import { studyReport } from '#src/studies/studyReports.ts';
import { TINY_STUDY } from '#test/unit/studies/studyForTests.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { executeRuns } from '../services/executeRuns.ts';
import { aWorker, claim, servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const artifacts = await openArtifactStore(join(temporaryFolder(), 'artifacts'));
const OTHER_STUDY = { ...TINY_STUDY, name: 'overrec/table-00' as const, arms: TINY_STUDY.arms.slice() };

/** The report, which is the same with and without what is remembered, asked for once and again. */
async function look(): Promise<StudyReport> {
  const fresh = await studyReport({ ...context, artifacts }, TINY_STUDY);
  for (const _time of [1, 2]) {
    const [report, other] = await rememberedReports({ ...context, artifacts }, [TINY_STUDY, OTHER_STUDY]);
    expect(report).toEqual(fresh);
    expect(other).toEqual({ ...fresh, name: OTHER_STUDY.name });
  }
  return fresh;
}

/** What the first cells measure, in percent: one seed decides nothing. */
const measured = async () => (await look()).cells.map(({ mean }) => mean && Number(mean.toFixed(3))).slice(0, 3);
const asked = { columns: ['sasrec'], budget: 'paper', seeds: [1] } as const;
const ndcg = (value: number) => ({ metrics: () => ({ 'test/ndcg@10': value }) });

test('a report that was looked at before changes with every run that is added, ends, is deleted, restored, or retried', async () => {
  expect(await measured()).toEqual([null, null, null]);
  const { queued } = await reproduceStudy(context, TINY_STUDY, asked);
  const [run] = queued;
  expect((await look()).state).toBe('RUNNING');
  await executeRuns(context, queued, ndcg(0.301));
  expect(await measured()).toEqual([30.1, null, null]);

  await deleteRuns(context, [run!.id]);
  expect(await measured()).toEqual([null, null, null]);
  await restoreRuns(context, [run!.id]);
  expect(await measured()).toEqual([30.1, null, null]);

  const [newer] = (await reproduceStudy(context, TINY_STUDY, { ...asked, fresh: true })).queued;
  await executeRuns(context, [newer!], ndcg(0.1));
  expect(await measured()).toEqual([10, null, null]);
  // one that repeats another does not count
  await tagRuns(context, [newer!.id], { add: [`audit:${run!.number}`], remove: [] });
  expect(await measured()).toEqual([30.1, null, null]);

  const { queued: others } = await reproduceStudy(context, TINY_STUDY, { ...asked, columns: ['gru4rec'] });
  const worker = await aWorker(context);
  await claim(context, others[0]!, { worker });
  const holder = { runId: others[0]!.id, attempt: 1, workerId: worker.id };
  await endAttempt(context, {
    ...holder,
    outcome: { state: 'FAILED', error: { code: 'INTERNAL', message: 'no luck' } },
  });
  expect((await look()).cells[1]!.reason).toMatch(/failed: no luck/);
  await retryRuns(context, [others[0]!.id]);
  expect((await look()).state).toBe('RUNNING');
});

test('a report that was looked at before changes with the content of its dataset that was met last', async () => {
  const before = await measured();
  const [knn] = (await reproduceStudy(context, TINY_STUDY, { columns: ['knn'] })).queued;
  await executeRuns(context, [knn!], { ...ndcg(0.1), fingerprint: '0'.repeat(64) });
  expect([before[0], await measured()]).toEqual([30.1, [null, null, 10]]);
});

test('studies of a project have runs of that project alone, whatever was looked at before', async () => {
  await look();
  const [report] = await rememberedReports({ ...context, artifacts }, [TINY_STUDY], { project: 'elsewhere' });
  expect(report).toEqual(await studyReport({ ...context, artifacts }, TINY_STUDY, { project: 'elsewhere' }));
  expect(report).toMatchObject({ state: 'NOT_RUN' });
});
