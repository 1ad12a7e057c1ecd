import { expect, test } from 'vitest';
import { marginOf } from '#src/studies/verdicts/cellReport.ts';
import type { StudyRun } from '#src/studies/verdicts/armRuns.ts';
import { buildReport } from '#src/studies/verdicts/buildReport.ts';
import { exportStudies } from '#src/studies/exports/exportStudies.ts';
import type { UserTestOf } from '#src/studies/verdicts/testComparison.ts';
import type { Study } from '#src/catalog/studies/study.ts';
import { testedOf } from '#src/statistics/verdict.ts';
import { latexText } from '#src/studies/exports/latex.ts';
import { STUDIES } from '#src/catalog/studies/studies.ts';
import { finishedRun, TINY_STUDY } from './studyForTests.ts';

/** What a test over users, and over seeds where both have enough, says of the runs. */
function userTestOf(p: number | null, notComparable: string | null = null): UserTestOf {
  const nothing = { test: null, n: 0, seeds: [], baselineSeeds: [], about: 'methods' as const, notComparable: null };
  return (above, below) => {
    if (p === null) return { ...nothing, reason: 'left no ranks' };
    const seedsOf = (runs: readonly StudyRun[]) => runs.map(({ seed }) => seed);
    const sides = [above, below].map((runs) => ({ seeds: runs.length, deterministic: runs[0]?.arm === 'knn' }));
    const about = testedOf(sides);
    const meanOf = (runs: readonly StudyRun[]) =>
      runs.reduce((sum, run) => sum + run.metrics.get('test/ndcg@10')!.last, 0) / runs.length;
    const difference = meanOf(above) - meanOf(below);
    const [low, high] = [difference - 0.02, difference + 0.02];
    const method = about === 'methods' ? 'crossed' : 'paired';
    return {
      ...{ n: 500, seeds: seedsOf(above), baselineSeeds: seedsOf(below), about, notComparable, reason: null },
      test: { method, difference, low, high, t: 4, df: 20, p, pBetter: p / 2, wilcoxon: null },
    };
  };
}

const report = (runs: readonly StudyRun[], userP: number | null = 0.001, study: Study = TINY_STUDY) =>
  buildReport(study, runs, { userTest: userTestOf(userP), curveOf: () => null, artifactOf: () => null });

/** Three seeds of both learned methods, one run of the one without randomness. */
const WHOLE = [
  ...[0.3, 0.301, 0.299].map((value, index) => finishedRun('sasrec', index + 1, value)),
  ...[0.25, 0.252, 0.249].map((value, index) => finishedRun('gru4rec', index + 1, value)),
  finishedRun('knn', 1, 0.104),
];
const verdicts = (runs: readonly StudyRun[]) =>
  Object.fromEntries(report(runs).cells.map(({ column, verdict }) => [column, verdict]));

test('a cell agrees where its whole interval is near, differs beyond what is predicted, or says why nothing can be said', () => {
  expect(verdicts(WHOLE)).toEqual({
    ...{ sasrec: 'AGREES', gru4rec: 'DIFFERS', knn: 'AGREES', lost: 'NOT_RUNNABLE', gain: 'NOT_PRINTED' },
  });
  expect(verdicts([])).toEqual({
    ...{ sasrec: 'NOT_RUN', gru4rec: 'NOT_RUN', knn: 'NOT_RUN', lost: 'NOT_RUNNABLE', gain: 'NOT_RUN' },
  });
  const { cells } = report(WHOLE);
  const [sasrec, , knn, lost, gain] = cells;
  expect(sasrec).toMatchObject({ n: 3, difference: expect.closeTo(0), runs: [{ seed: 1 }, { seed: 2 }, { seed: 3 }] });
  expect(sasrec!.standardDeviation).toBeCloseTo(0.1);
  expect(knn).toMatchObject({ n: 1, standardDeviation: null, mean: expect.closeTo(10.4) });
  expect(lost).toMatchObject({ reason: 'its data are not public', mean: null });
  // the one value of the method without randomness counts for every seed
  expect(gain).toMatchObject({ n: 3, mean: expect.closeTo(100 * (0.3 / 0.104 - 1)) });
});

test('a wide interval never agrees, one seed has none, and the authors’ own runs say how far chance reaches', () => {
  const of = (values: number[], spread?: { standardDeviation: number; n: number }) => {
    const [first, ...others] = TINY_STUDY.table!.cells;
    const cell = { ...first!, printed: { value: 30, ...(spread && { spread }) } };
    const study = { ...TINY_STUDY, table: { ...TINY_STUDY.table!, cells: [cell, ...others] } };
    const runs = values.map((value, index) => finishedRun('sasrec', index + 1, value));
    return report(runs, null, study).cells[0]!.verdict;
  };
  expect(of([0.25, 0.31, 0.4])).toBe('UNDECIDED');
  expect(of([0.3])).toBe('UNDECIDED');
  // 40 is 10 from 30: Student's t with 4 degrees of freedom, 2.78 · s · √(1/5 + 1/1)
  expect(of([0.4], { standardDeviation: 3, n: 5 })).toBe('DIFFERS');
  expect(of([0.4], { standardDeviation: 3.5, n: 5 })).toBe('UNDECIDED');
});

test('shortened runs give numbers, but no verdict, and give way to whole ones', () => {
  const short = [
    finishedRun('sasrec', 1, 0.3, { budget: 'quick' }),
    finishedRun('gru4rec', 1, 0.2, { budget: 'quick' }),
  ];
  const shown = report(short, 1e-9);
  expect(shown.cells.slice(0, 2).map(({ verdict }) => verdict)).toEqual(['SHORTENED', 'SHORTENED']);
  expect(shown.claims[0]!.statements[0]).toMatchObject({
    ...{ verdict: 'UNDECIDED', reason: 'its runs are shortened, which decides nothing', p: 1e-9, pHolm: null },
  });
  expect(report([...short, finishedRun('sasrec', 2, 0.31)]).cells[0]).toMatchObject({
    ...{ verdict: 'UNDECIDED', runs: [{ seed: 2 }] },
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

test('claims are confirmed or refuted by tests over seeds and users, corrected over what the study states', () => {
  const { claims, family } = report(WHOLE);
  expect(claims.map(({ name, verdict }) => [name, verdict])).toEqual([
    // the cell of GRU4Rec differs from the printed one: it is not the paper's baseline
    ['sasrec-best', 'UNDECIDED'],
    ['knn-weak', 'UNDECIDED'],
    ['gru-best', 'REFUTED'],
  ]);
  const [first, second] = claims[0]!.statements;
  expect(first).toMatchObject({
    words: 'SASRec above GRU4Rec in test/ndcg@10 on generated/markov-small',
    ...{ test: 'mixed model of 3 and 3 seeds and 500 users', verdict: 'UNDECIDED' },
    reason: expect.stringContaining('its own cell differs'),
  });
  // against the one value of a method without randomness
  expect(second).toMatchObject({ test: 'mixed model of 3 and 1 seeds and 500 users', verdict: 'CONFIRMED' });
  expect(family.size).toBe(3);
  expect(second!.pHolm).toBeCloseTo(3 * 0.001, 10);
  expect(claims[1]!.reason).toContain('without an interval');
});

test('the family of tests is fixed before anything runs: what is not measured has its place in it', () => {
  const some = report(WHOLE.filter(({ arm }) => arm !== 'gru4rec'));
  expect(some.family).toEqual(report([]).family);
  expect(some.claims[0]!.statements[1]!.pHolm).toBeCloseTo(3 * 0.001, 10);
});

test('fewer than three seeds of a trained method say “these two trained models”, and decide no claim', () => {
  for (const most of [1, 2]) {
    const { statements, verdict } = report(
      WHOLE.filter(({ seed }) => seed <= most),
      1e-9,
    ).claims[0]!;
    expect(verdict).toBe('UNDECIDED');
    expect(statements[1]).toMatchObject({ verdict: 'UNDECIDED', p: 1e-9, pHolm: null });
    expect(statements[1]!.reason).toMatch(/^these two trained models alone: .* needs 3 of each$/);
  }
});

test('seeds alone decide nothing of a metric of users whose ranks are not there', () => {
  expect(report(WHOLE, null).claims[0]!.statements[1]).toMatchObject({
    ...{ verdict: 'UNDECIDED', test: 'paired t-test, 3 seeds, for these users alone' },
    reason: expect.stringContaining('left no ranks'),
  });
});

test('what Compare calls not comparable, what the paper has not, and “slightly” are kept to', () => {
  const built = (study: Study, guard: string | null = null) =>
    buildReport(study, WHOLE, {
      ...{ userTest: userTestOf(0.001, guard), curveOf: () => null, artifactOf: () => null },
    }).claims[0]!;
  expect(built(TINY_STUDY, 'ties decide').statements[1]).toMatchObject({
    ...{ verdict: 'UNDECIDED', reason: 'not comparable, because ties decide', pHolm: null },
  });
  expect(built({ ...TINY_STUDY, extraDatasets: ['generated/markov-small'] })).toMatchObject({
    ...{ verdict: 'UNDECIDED', reason: expect.stringContaining('the paper does not have this dataset') },
  });
  const [claim] = TINY_STUDY.claims;
  const sized = (size: { from?: number; to?: number }) => {
    const statement = { above: 'sasrec', below: 'knn', metric: 'test/ndcg@10', size: { ...size, words: 'so much' } };
    return built({ ...TINY_STUDY, claims: [{ ...claim!, statements: [statement] }] }).verdict;
  };
  // .3 is .196 above .104, 188 %; its interval, 38 points more or less for each .04, ends at 169 and 208 %
  expect([sized({ from: 1.5 }), sized({ to: 0.1 }), sized({ from: 1.8 })]).toEqual([
    ...['CONFIRMED', 'REFUTED', 'UNDECIDED'],
  ]);
});

test('an arm that lacks data under every budget is shortened, and a line of a figure has one budget', () => {
  const [sasrec, ...others] = TINY_STUDY.arms;
  const study = { ...TINY_STUDY, arms: [{ ...sasrec!, lacks: 'half of the data' }, ...others] };
  expect(report(WHOLE, 0.001, study).cells[0]!.verdict).toBe('SHORTENED');
  const points = ['gru4rec', 'knn', 'sasrec'].map((arm) => ({ x: arm, value: { arm, metric: 'test/ndcg@10' } }));
  const panel = {
    title: 'Small',
    form: 'line' as const,
    x: { label: '' },
    y: { label: '' },
    series: [{ label: 'all', points }],
  };
  const figures = [{ name: 'all', title: 'All', shows: 'Much.', panels: [panel] }];
  const [line] = report(WHOLE, 0.001, { ...study, figures }).figures[0]!.panels[0]!.series;
  expect(line!.points.map(({ mean }) => mean !== null)).toEqual([true, true, false]);
  expect(line!.reason).toBe('it had another budget than the rest of the line');
});

test('a claim whose runs are there in part says what these decide', () => {
  const { claims } = report(WHOLE.filter(({ arm }) => arm !== 'gru4rec'));
  expect(claims.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['UNDECIDED', 'of 2: 1 confirmed, 1 undecided: no run of gru4rec yet'],
    ['UNDECIDED', 'one value of these users and this order of ties, without an interval, decides nothing'],
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

test('margins are relative, absolute, and never stricter than the printed digits', () => {
  const by = (tolerance: object, value: number, printed: number) =>
    Math.abs(value - printed) <= marginOf(printed, { tolerance, digits: 2 });
  expect([by({ relative: 0.1 }, 1.1, 1), by({ relative: 0.1 }, 1.12, 1)]).toEqual([true, false]);
  expect([by({ absolute: 0.2 }, 0.8, 1), by({ absolute: 0.2 }, 0.7, 1)]).toEqual([true, false]);
  expect([by({}, 1.005, 1), by({}, 1.02, 1)]).toEqual([true, false]);
});

test('a study leaves as Markdown, LaTeX, CSV and JSON', () => {
  const reports = [report(WHOLE)];
  const markdown = exportStudies(reports, 'MARKDOWN');
  expect(markdown).toContain('| Small: NDCG@10 | 30.0 ± 0.1 (3) [30.0] ✓ |');
  expect(markdown).toContain('– [5.0]');
  expect(markdown).toContain('- **refuted**: GRU4Rec is best. (Section 0)');
  expect(markdown).toContain('by abcdef on two cores.');
  const latex = exportStudies(reports, 'LATEX');
  expect(latex).toContain('\\toprule');
  expect(latex).toContain('30.0 $\\pm$ 0.1 (3) [30.0]');
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
