import { armConfiguration, armSeeds } from '#src/catalog/studies/armConfiguration.ts';
import { type Paper, PAPERS } from '#src/catalog/published/papers.ts';
import type { Study } from '#src/catalog/studies/study.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { type ArmRuns, armRuns, type StudyRun } from './armRuns.ts';
import { auditReports } from './audits.ts';
import { cellReport } from './cellReport.ts';
import { claimReports, familyOf } from './claimReports.ts';
import { type Drawn, figureReports } from './figureReports.ts';
import type { ArmReport, Provenance, StudyReport, StudyState } from './studyReport.ts';

/** The paper of a study, by the first part of its name. */
export function paperOf({ name }: Pick<Study, 'name'>): Paper {
  const [first] = name.split('/');
  const paper = (Object.keys(PAPERS) as Paper[]).find((one) => one === first);
  invariant(paper !== undefined, `study ${name} names no paper`);
  return paper;
}

/** A study with what its runs say, from what was read of them. */
export function buildReport(study: Study, runs: readonly StudyRun[], read: Omit<Drawn, 'arms'>): StudyReport {
  const arms = armRuns(study, runs);
  const { table } = study;
  const datasets = new Map(study.arms.map((arm) => [arm.name, armConfiguration(arm, 'paper').dataset?.name ?? null]));
  const known = { arms, userTest: read.userTest, datasetOf: (arm: string) => datasets.get(arm) ?? null };
  const { comparisons, hash } = familyOf(study, known);
  const cells = table?.cells.map((cell) => cellReport(cell, table, known)) ?? [];
  const elsewhere = study.arms.flatMap(({ name, printed }) =>
    Object.entries(printed?.byMetric ?? {}).flatMap(([metric, value]) => {
      const cell = { row: name, column: metric, printed: value, value: { arm: name, metric } };
      const { digits, tolerance } = printed!;
      const told = cellReport(cell, { rows: [], columns: [], cells: [], digits, tolerance }, known);
      return told.verdict === 'DIFFERS' ? [`${name} ${metric}`] : [];
    }),
  );
  const differing = new Set([
    ...elsewhere,
    ...(table?.cells ?? []).flatMap(({ value }, index) =>
      value !== undefined && 'metric' in value && cells[index]!.verdict === 'DIFFERS'
        ? [`${value.arm} ${value.metric}`]
        : [],
    ),
  ]);
  const line = ({ name, label, group = '' }: { name: string; label: string; group?: string }) => ({
    name,
    label,
    group,
  });
  return {
    name: study.name,
    paper: paperOf(study),
    title: study.title,
    source: study.source,
    notes: study.notes ?? '',
    notRunnable: study.notRunnable ?? null,
    state: stateOf(study, arms),
    rows: table?.rows.map(line) ?? [],
    columns: table?.columns.map(line) ?? [],
    unit: table?.unit ?? '',
    cells,
    claims: claimReports(study, { ...known, differs: (arm, metric) => differing.has(`${arm} ${metric}`) }),
    family: { size: comparisons.length, hash },
    figures: figureReports(study, { ...read, arms }),
    arms: study.arms.map((arm) => armReport(arms.get(arm.name)!)),
    audits: auditReports(runs),
    provenance: provenanceOf([...arms.values()].flatMap(({ finished }) => finished)),
  };
}

function armReport({ arm, shortened, finished, open, failed }: ArmRuns): ArmReport {
  const { kind, dataset, hash } = armConfiguration(arm, shortened ? 'quick' : 'paper');
  const runs = [...finished, ...open, ...(failed === null ? [] : [failed])];
  return {
    name: arm.name,
    label: arm.label,
    kind,
    dataset: dataset?.name ?? null,
    configurationHash: hash,
    shortened: shortened && finished.length > 0,
    notRunnable: arm.notRunnable ?? null,
    runs: runs.map(({ id, number, seed, state }) => ({ id, number, seed, state })),
  };
}

/** How far a study is, by what there is of its arms. */
export function stateOf(study: Study, arms: ReadonlyMap<string, ArmRuns>): StudyState {
  const runnable = [...arms.values()].filter(({ arm }) => arm.notRunnable === undefined);
  if (runnable.length === 0) return 'NOT_RUNNABLE';
  if (runnable.some(({ open }) => open.length > 0)) return 'RUNNING';
  const done = runnable.filter(({ finished }) => finished.length > 0);
  if (done.length === 0) return 'NOT_RUN';
  if (done.length < runnable.length) return 'PARTLY';
  const whole = runnable.every(({ arm, shortened, finished }) => {
    const seeds = new Set(finished.map(({ seed }) => seed));
    return !shortened && armSeeds(study, arm, 'paper').every((seed) => seeds.has(seed));
  });
  return whole ? 'COMPLETE' : 'SHORTENED';
}

function provenanceOf(runs: readonly StudyRun[]): Provenance {
  const distinct = (values: readonly string[]) => [...new Set(values.filter((value) => value !== ''))].sort();
  const ends = runs.flatMap(({ endedAt }) => (endedAt === null ? [] : [endedAt.toISOString()])).sort();
  return {
    commits: distinct(runs.map(({ commit }) => commit)),
    machines: distinct(runs.map(({ machine }) => machine)),
    from: ends[0] ?? null,
    to: ends.at(-1) ?? null,
  };
}
