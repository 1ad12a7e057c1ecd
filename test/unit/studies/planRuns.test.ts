import { expect, test } from 'vitest';
import { studyByName } from '#src/catalog/studies/studies.ts';
import type { Study } from '#src/catalog/studies/study.ts';
import type { RunArithmetic } from '#src/base/contracts/arithmetic.ts';
import { type PlanRequest, planRuns } from '#src/studies/verdicts/planRuns.ts';
import { selectArms } from '#src/studies/verdicts/selectArms.ts';
import { minutesEstimate } from '#src/studies/estimateMinutes.ts';
import { finishedRun, TINY_STUDY } from './studyForTests.ts';

const ARMS = TINY_STUDY.arms.map(({ name }) => name);
const planned = (
  runs: Parameters<typeof planRuns>[1],
  request: Partial<PlanRequest> = {},
  study: Study = TINY_STUDY,
) => {
  const plan = planRuns(study, runs, {
    ...{ arms: study.arms.map(({ name }) => name), budget: 'paper', random: () => 0.5 },
    minutesOf: minutesEstimate(study, []),
    ...request,
  });
  return { ...plan, names: plan.queue.map(({ arm, seed, budget }) => `${arm.name} ${seed} ${budget}`) };
};

test('what is missing is queued, every arm with its first seed before any with its second', () => {
  const { names, notRunnable } = planned([]);
  expect(names).toEqual([
    ...['sasrec 1 paper', 'gru4rec 1 paper', 'knn 1 paper'],
    ...['sasrec 2 paper', 'gru4rec 2 paper', 'sasrec 3 paper', 'gru4rec 3 paper'],
  ]);
  expect(notRunnable).toEqual([{ arm: 'lost', reason: 'its data are not public' }]);
  expect(planned([], { seeds: [7, 8] }).names).toEqual([
    ...['sasrec 7 paper', 'gru4rec 7 paper', 'knn 7 paper', 'sasrec 8 paper', 'gru4rec 8 paper'],
  ]);
});

test('finished runs serve, those under way are waited for, failed ones are queued again', () => {
  const runs = [
    finishedRun('sasrec', 1, 0.3),
    finishedRun('sasrec', 2, 0.3, { state: 'RUNNING' }),
    finishedRun('gru4rec', 1, 0, { state: 'FAILED' }),
    // with any seed, as nothing depends on it
    finishedRun('knn', 9, 0.1),
  ];
  const { names, reused, underWay } = planned(runs, { seeds: [1, 2] });
  expect(names).toEqual(['gru4rec 1 paper', 'gru4rec 2 paper']);
  expect(reused.map(({ arm }) => arm)).toEqual(['sasrec', 'knn']);
  expect(underWay).toHaveLength(1);
  const fresh = planned(runs, { seeds: [1, 2], fresh: true });
  expect(fresh.names).toEqual(['sasrec 1 paper', 'gru4rec 1 paper', 'knn 1 paper', 'gru4rec 2 paper']);
});

test('a finished run serves however it rounded; of two, the one that rounds as the workers do', () => {
  const runs = [
    finishedRun('sasrec', 1, 0.3),
    finishedRun('gru4rec', 1, 0.2, { arithmetic: 'fused' }),
    finishedRun('knn', 1, 0.1),
    finishedRun('knn', 2, 0.1, { arithmetic: 'fused' }),
  ];
  const withWorkers = (...arithmetics: RunArithmetic[]) =>
    planned(runs, { seeds: [1], arithmetics: new Set(arithmetics) });
  const reusedOf = ({ reused }: ReturnType<typeof planned>) =>
    reused.map(({ arm, arithmetic }) => `${arm} ${arithmetic}`);
  expect(withWorkers('plain').names).toEqual([]);
  expect(reusedOf(withWorkers('plain'))).toEqual(['sasrec plain', 'gru4rec fused', 'knn plain']);
  expect(reusedOf(withWorkers('fused'))).toEqual(['sasrec plain', 'gru4rec fused', 'knn fused']);
});

test('an audit repeats what the workers can repeat to the bit', () => {
  const runs = [1, 2, 3].map((seed) =>
    finishedRun('sasrec', seed, 0.3, { arithmetic: seed === 3 ? 'openblas' : 'plain' }),
  );
  const audits = (arithmetic: RunArithmetic) =>
    planned(runs, { arms: ['sasrec'], audit: 1, arithmetics: new Set([arithmetic]) }).queue.map(({ seed }) => seed);
  expect(audits('plain').toSorted()).toEqual([1, 2]);
  expect(audits('openblas')).toEqual([3]);
  // better than none: it says that they rounded differently
  expect(audits('fused').toSorted()).toEqual([1, 2, 3]);
});

test('a run of one budget does not serve the other, unless nothing is shortened', () => {
  const runs = [finishedRun('sasrec', 1, 0.3, { budget: 'quick' }), finishedRun('knn', 1, 0.1)];
  expect(planned(runs, { budget: 'quick' }).names).toEqual(['gru4rec 1 quick']);
  expect(planned(runs, { seeds: [1] }).names).toEqual(['sasrec 1 paper', 'gru4rec 1 paper']);
});

test('minutes are used in order: whole where that fits, shortened where only that does', () => {
  const { names, left } = planned([], { budget: { minutes: 14 }, seeds: [1, 2] });
  expect(names).toEqual(['sasrec 1 paper', 'gru4rec 1 quick', 'knn 1 paper', 'sasrec 2 quick']);
  expect(left).toEqual([{ arm: 'gru4rec', seed: 2, minutes: 2 }]);
});

test('an audit draws a share of the finished runs, at least one', () => {
  const runs = [1, 2, 3].map((seed) => finishedRun('sasrec', seed, 0.3));
  const { queue } = planned(runs, { arms: ['sasrec'], audit: 0.05 });
  expect(queue).toMatchObject([{ arm: { name: 'sasrec' }, seed: 2, auditOf: 2 }]);
  expect(planned(runs, { arms: ['sasrec'], audit: 1 }).queue.map(({ auditOf }) => auditOf)).toEqual([2, 3, 1]);
});

test('time is estimated from runs of the same configuration, else of the same kind, else as the study says', () => {
  const [sasrec, gru4rec] = TINY_STUDY.arms;
  const minutes = minutesEstimate(TINY_STUDY, [finishedRun('sasrec', 1, 0.3, { seconds: 300 })]);
  expect(minutes(sasrec!, 'paper')).toBe(5);
  expect(minutes(sasrec!, 'quick')).toBe(0.5);
  expect(minutes(gru4rec!, 'paper')).toBe(20);
});

test('the newest runs tell how long one takes, not those that an archive brought from a slower machine', () => {
  const [sasrec] = TINY_STUDY.arms;
  const ended = (day: number, seconds: number) =>
    finishedRun('sasrec', day, 0.3, { seconds, endedAt: new Date(Date.UTC(2026, 10, day)) });
  const runs = [ended(1, 6000), ended(2, 6000), ended(3, 6000), ended(20, 300), ended(21, 360), ended(22, 330)];
  expect(minutesEstimate(TINY_STUDY, runs)(sasrec!, 'paper')).toBe(5.5);
});

test('the start of names before a slash chooses all of them, and ² is typed as 2', () => {
  const sevo = studyByName('sevo/table-3');
  expect(selectArms(sevo, { rows: ['ml-1m'] })).toEqual(selectArms(sevo, { rows: ['ml-1m/ndcg@10', 'ml-1m/hr@1'] }));
  const leporid = studyByName('leporid/table-3');
  expect(selectArms(leporid, { rows: ['dlr2'], columns: ['ml-100k'] })).toEqual(
    selectArms(leporid, { rows: ['DLR²'], columns: ['ml-100k/f1@10'] }),
  );
});

test('rows and columns are chosen by name, label or group; the arms that they need come with their inputs', () => {
  expect(selectArms(TINY_STUDY, {})).toEqual(ARMS);
  expect(selectArms(TINY_STUDY, { columns: ['gain'] })).toEqual(['sasrec', 'knn']);
  expect(selectArms(TINY_STUDY, { rows: ['small'], columns: ['GRU4Rec'] })).toEqual(['gru4rec']);
  expect(() => selectArms(TINY_STUDY, { columns: ['sasrecc'] })).toThrow('Did you mean "sasrec"?');
  const [sasrec, ...others] = TINY_STUDY.arms;
  const map = { ...sasrec!, inputs: [{ name: 'a', arm: 'gru4rec', artifact: 'item-embeddings.npy' }] };
  const study = { ...TINY_STUDY, arms: [map, ...others] };
  expect(selectArms(study, { columns: ['sasrec'] })).toEqual(['sasrec', 'gru4rec']);
  const { names, left } = planned([], { arms: ['sasrec', 'gru4rec'], seeds: [1] }, study);
  expect(names).toEqual(['gru4rec 1 paper', 'sasrec 1 paper']);
  expect(left).toEqual([]);
});
