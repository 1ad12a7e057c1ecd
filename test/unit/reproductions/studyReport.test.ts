import { expect, test } from 'vitest';
import { withinTolerance } from '#src/reproductions/cellReport.ts';
import type { StudyRun } from '#src/reproductions/armRuns.ts';
import { buildReport } from '#src/reproductions/buildReport.ts';
import { exportStudies } from '#src/reproductions/exports/exportStudies.ts';
import { runsOfFewSeeds } from '#src/reproductions/testComparison.ts';
import { latexText } from '#src/reproductions/exports/latex.ts';
import { STUDIES } from '#src/catalog/studies/studies.ts';
import { finishedRun, TINY_STUDY } from './studyForTests.ts';

const report = (runs: readonly StudyRun[], userP: number | null = null) =>
  buildReport(TINY_STUDY, runs, {
    userTest: () =>
      userP === null
        ? { test: null, n: 0, reason: 'left no ranks' }
        : {
            ...{ n: 500, reason: null },
            test: {
              ...{ method: 'paired', difference: 0.1, low: 0.05, high: 0.15, t: 4, df: 499, p: userP },
              ...{ pBetter: userP / 2, wilcoxon: null },
            },
          },
    curveOf: () => null,
    artifactOf: () => null,
  });

/** Three seeds of both learned methods, one run of the one without randomness. */
const WHOLE = [
  ...[0.3, 0.31, 0.29].map((value, index) => finishedRun('sasrec', index + 1, value)),
  ...[0.25, 0.262, 0.239].map((value, index) => finishedRun('gru4rec', index + 1, value)),
  finishedRun('knn', 1, 0.104),
];
const verdicts = (runs: readonly StudyRun[]) =>
  Object.fromEntries(report(runs).cells.map(({ column, verdict }) => [column, verdict]));

test('a cell agrees within the tolerance, differs beyond it, or says why nothing can be said', () => {
  expect(verdicts(WHOLE)).toEqual({
    ...{ sasrec: 'AGREES', gru4rec: 'DIFFERS', knn: 'AGREES', lost: 'NOT_RUNNABLE', gain: 'NOT_PRINTED' },
  });
  expect(verdicts([])).toEqual({
    ...{ sasrec: 'NOT_RUN', gru4rec: 'NOT_RUN', knn: 'NOT_RUN', lost: 'NOT_RUNNABLE', gain: 'NOT_RUN' },
  });
  const { cells } = report(WHOLE);
  const [sasrec, , knn, lost, gain] = cells;
  expect(sasrec).toMatchObject({ n: 3, difference: expect.closeTo(0), runs: [{ seed: 1 }, { seed: 2 }, { seed: 3 }] });
  expect(sasrec!.standardDeviation).toBeCloseTo(1);
  expect(knn).toMatchObject({ n: 1, standardDeviation: null, mean: expect.closeTo(10.4) });
  expect(lost).toMatchObject({ reason: 'its data are not public', mean: null });
  // the one value of the method without randomness counts for every seed
  expect(gain).toMatchObject({ n: 3, mean: expect.closeTo(100 * (0.3 / 0.104 - 1)) });
});

test('an interval over the seeds that holds the printed value agrees, too', () => {
  const wide = [0.25, 0.31, 0.4].map((value, index) => finishedRun('sasrec', index + 1, value));
  expect(report(wide).cells[0]).toMatchObject({ verdict: 'AGREES', reason: expect.stringContaining('over 3 seeds') });
});

test('shortened runs give numbers, but no verdict, and give way to whole ones', () => {
  const short = [
    finishedRun('sasrec', 1, 0.3, { budget: 'quick' }),
    finishedRun('gru4rec', 1, 0.2, { budget: 'quick' }),
  ];
  const shown = report(short, 1e-9);
  expect(shown.cells.slice(0, 2).map(({ verdict }) => verdict)).toEqual(['SHORTENED', 'SHORTENED']);
  expect(shown.claims[0]!.statements[0]).toMatchObject({
    ...{ verdict: 'UNDECIDED', reason: 'its runs are shortened, which decides nothing', p: 1e-9 },
  });
  expect(report([...short, finishedRun('sasrec', 2, 0.31)]).cells[0]).toMatchObject({
    ...{ verdict: 'AGREES', runs: [{ seed: 2 }] },
  });
});

test('a figure of shortened and whole runs says that they are not to be compared', () => {
  const points = ['sasrec', 'gru4rec'].map((arm) => ({ x: arm, value: { arm, metric: 'test/ndcg@10' } }));
  const axis = { label: '' };
  const panel = { title: 'Small', form: 'bars', x: axis, y: axis, series: [{ label: 'all', points }] } as const;
  const figures = [{ name: 'both', title: 'Both', shows: 'Much.', panels: [panel] }];
  const drawn = (runs: readonly StudyRun[]) =>
    buildReport({ ...TINY_STUDY, figures }, runs, {
      ...{ userTest: () => null, curveOf: () => null, artifactOf: () => null },
    }).figures[0]!.panels[0]!.title;
  expect(drawn(WHOLE)).toBe('Small');
  const short = WHOLE.map((run): StudyRun => (run.arm === 'sasrec' ? { ...run, budget: 'quick' } : run));
  expect(drawn(short)).toBe('Small (some runs are shortened and some whole: not to be compared)');
});

test('a long curve is told by twenty of its points, both ends among them, a short one by all', () => {
  const axis = { label: '' };
  const curve = { arm: 'knn', metric: 'train/loss' };
  const panel = { title: 'Small', form: 'line', x: axis, y: axis, series: [{ label: 'loss', curve }] } as const;
  const figures = [{ name: 'loss', title: 'Loss', shows: 'Less.', panels: [panel] }];
  const told = (length: number) => {
    const steps = Array.from({ length }, (_, index) => index + 1);
    const drawn = buildReport({ ...TINY_STUDY, figures }, WHOLE, {
      ...{ userTest: () => null, curveOf: () => ({ steps, values: steps.map((step) => 2 * step) }) },
      artifactOf: () => null,
    });
    return /- Small, loss: (.*)/.exec(exportStudies([drawn], 'MARKDOWN'))?.[1]?.split(', ');
  };
  expect(told(3)).toEqual(['1: 2', '2: 4', '3: 6']);
  expect(told(200)).toHaveLength(20);
  expect(told(200)).toEqual(expect.arrayContaining(['1: 2', '200: 400']));
});

test('the newest run of a seed counts, and one that is under way or failed says so', () => {
  const again = finishedRun('knn', 1, 0.1, { number: 900 });
  expect(report([...WHOLE, again]).cells[2]!.runs).toEqual([{ id: 'run-900', number: 900, seed: 1 }]);
  const failed = finishedRun('knn', 1, 0, { state: 'FAILED', error: 'no data' });
  expect(report([failed]).cells[2]!.reason).toBe(`run ${failed.number} of knn failed: no data`);
  expect(report([finishedRun('knn', 1, 0, { state: 'QUEUED' })]).state).toBe('RUNNING');
});

test('claims are confirmed or refuted by tests over seeds, corrected over the study, or by a number in its range', () => {
  const { claims } = report(WHOLE);
  expect(claims.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['sasrec-best', 'CONFIRMED'],
    ['knn-weak', 'CONFIRMED'],
    ['gru-best', 'REFUTED'],
  ]);
  const [first, second] = claims[0]!.statements;
  expect(first).toMatchObject({
    words: 'SASRec above GRU4Rec in test/ndcg@10 on generated/markov-small',
    test: 'paired t-test, 3 seeds',
  });
  // against the one value of a method without randomness
  expect(second!.test).toBe('paired t-test, 3 seeds');
  const p = [first!.p!, second!.p!, claims[2]!.statements[0]!.p!].sort((a, b) => a - b);
  expect(Math.min(first!.pHolm!, second!.pHolm!)).toBeCloseTo(3 * p[0]!, 10);
});

test('one seed of each is decided over users where both left their ranks, else undecided with the reason', () => {
  const single = WHOLE.filter(({ seed }) => seed === 1);
  const decided = report(single, 0.001).claims[0]!;
  expect(decided.verdict).toBe('CONFIRMED');
  expect(decided.statements[0]).toMatchObject({ test: 'paired t-test over 500 users', p: 0.001 });
  expect(report(single).claims[0]).toMatchObject({
    ...{ verdict: 'UNDECIDED', reason: expect.stringContaining('left no ranks') },
  });
});

test('two seeds are decided over the means of their users, three over seeds', () => {
  const [two, three] = [2, 3].map(
    (most) =>
      report(
        WHOLE.filter(({ seed }) => seed <= most),
        0.001,
      ).claims[0]!,
  );
  expect(two).toMatchObject({ verdict: 'CONFIRMED' });
  expect(two!.statements[0]).toMatchObject({ test: 'paired t-test over 500 users, means of 2 seeds', p: 0.001 });
  expect(three!.statements[0]!.test).toBe('paired t-test, 3 seeds');
  const without = report(WHOLE.filter(({ seed }) => seed <= 2)).claims[0]!;
  expect(without.statements[0]!.test).toBe('paired t-test, 2 seeds');
});

test('users decide nothing while one side has no run', () => {
  const runs = [1, 2].map((seed) => finishedRun('sasrec', seed, 0.3));
  expect(runsOfFewSeeds({ runs, deterministic: false }, { runs: [], deterministic: true })).toBeNull();
  expect(runsOfFewSeeds({ runs: [], deterministic: true }, { runs, deterministic: false })).toBeNull();
});

test('a claim whose runs are there in part says what these decide', () => {
  const { claims } = report(WHOLE.filter(({ arm }) => arm !== 'gru4rec'));
  expect(claims.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['UNDECIDED', 'of 2: 1 confirmed, 1 undecided: no run of gru4rec yet'],
    ['CONFIRMED', ''],
    ['UNDECIDED', 'no run of gru4rec yet'],
  ]);
});

test('a run that is computed again and differs is told', () => {
  const first = WHOLE[0]!;
  const same = finishedRun('sasrec', 1, 0.3, { number: 500, auditOf: first.number });
  const other = finishedRun('sasrec', 1, 0.2, { number: 501, auditOf: first.number });
  const open = finishedRun('sasrec', 1, 0, { number: 502, auditOf: first.number, state: 'QUEUED' });
  const { audits, cells } = report([...WHOLE, same, other, open]);
  expect(audits.map(({ agrees }) => agrees)).toEqual([true, false, null]);
  expect(audits[1]!.reason).toBe('test/ndcg@10: 0.3 in run 1, 0.2 in run 501');
  expect(cells[0]!.n).toBe(3);
});

test('tolerances are relative, absolute, by side, and never stricter than the printed digits', () => {
  const by = (tolerance: object, value: number, printed: number) =>
    withinTolerance(value, printed, { tolerance, digits: 2 }) !== null;
  expect([by({ relative: 0.1 }, 1.1, 1), by({ relative: 0.1 }, 1.12, 1)]).toEqual([true, false]);
  expect([by({ absolute: 0.2 }, 0.8, 1), by({ absolute: 0.2 }, 0.7, 1)]).toEqual([true, false]);
  expect([by({ sameSideOf: 0.05 }, 0.001, 0.04), by({ sameSideOf: 0.05 }, 0.06, 0.01)]).toEqual([true, false]);
  expect([by({}, 1.005, 1), by({}, 1.02, 1)]).toEqual([true, false]);
});

test('a study leaves as Markdown, LaTeX, CSV and JSON', () => {
  const reports = [report(WHOLE)];
  const markdown = exportStudies(reports, 'MARKDOWN');
  expect(markdown).toContain('| Small: NDCG@10 | 30.0 ± 1.0 (3) [30.0] ✓ |');
  expect(markdown).toContain('– [5.0]');
  expect(markdown).toContain('- **refuted**: GRU4Rec is best. (Section 0)');
  expect(markdown).toContain('by abcdef on two cores.');
  const latex = exportStudies(reports, 'LATEX');
  expect(latex).toContain('\\toprule');
  expect(latex).toContain('30.0 $\\pm$ 1.0 (3) [30.0]');
  expect(latex).toContain('Gain, \\%');
  const [header, ...lines] = exportStudies(reports, 'CSV').trimEnd().split('\n');
  expect(header).toMatch(/^study,row_group,row/);
  expect(lines).toHaveLength(5);
  expect(lines[3]).toBe('overrec/table-0,Small,NDCG@10,,Lost,5,,,,0,,NOT_RUNNABLE,its data are not public,');
  expect(JSON.parse(exportStudies(reports, 'JSON'))).toMatchObject({ name: 'overrec/table-0', state: 'COMPLETE' });
});

test('tables of all studies are plain LaTeX: what is no ASCII is written out', () => {
  const texts = STUDIES.flatMap(({ title, table }) => [
    title,
    ...(table === undefined ? [] : [table.unit ?? '', ...[...table.rows, ...table.columns].flatMap(labelsOf)]),
  ]);
  expect(texts.map(latexText).filter((text) => /[^\x20-\x7e]/.test(text))).toEqual([]);
});

const labelsOf = ({ label, group = '' }: { label: string; group?: string }) => [label, group];
