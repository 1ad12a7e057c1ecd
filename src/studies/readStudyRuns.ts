import { armByName, armConfiguration, effectiveBudget } from '#src/catalog/studies/armConfiguration.ts';
import type { Study } from '#src/catalog/studies/study.ts';
import { arithmeticOf, arithmeticWords } from '#src/base/contracts/arithmetic.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { listRunInputs, type RunInputRecord } from '#src/runs/store/runInput.ts';
import { type ConfigurationRun, listConfigurationRuns } from '#src/studies/store/configurationRuns.ts';
import type { RunMetric, StudyRun } from '#src/studies/verdicts/armRuns.ts';
import { rightFingerprints } from '#src/runs/rightFingerprints.ts';
import { type ArmUse, type ArmUses, armUses } from './armUses.ts';
import { finishedMetrics } from './finishedMetrics.ts';

/** Tag of the runs that a study has queued. */
export function studyTag({ name }: Pick<Study, 'name'>): string {
  return `study:${name}`;
}

/** Tag of a run that repeats another one, by its number. */
export function auditTag(number: number): string {
  return `audit:${number}`;
}

function auditOf({ tags }: ConfigurationRun): number | null {
  const tag = tags.find((one) => /^audit:\d{1,9}$/.test(one));
  return tag === undefined ? null : Number(tag.slice('audit:'.length));
}

/**
 * The runs that have the configuration of an arm of the study, on the content of the dataset that is known by its name, with
 * the inputs that the arm has; whoever has queued them. Of one project or of all, by number.
 */
export async function readStudyRuns(connection: Connection, study: Study, project: string | null): Promise<StudyRun[]> {
  const uses = await armUses(study);
  const found = await listConfigurationRuns(connection, [...uses.keys()], project);
  const hasRightData = await dataCheck(connection, found, uses);
  const runs = found.filter((run) => run.state !== 'SUCCEEDED' || hasRightData(run));
  const metricsOf = await finishedMetrics(connection, runs);
  const inputsOf = await readInputs(connection, study, runs, uses);
  return runs.flatMap((run) =>
    (uses.get(run.configurationHash) ?? []).flatMap((use) => {
      if (!hasInputs(use, inputsOf.get(run.id) ?? [], { study, runs, uses })) return [];
      return [studyRun(run, use, metricsOf.get(run.id) ?? new Map())];
    }),
  );
}

function studyRun(run: ConfigurationRun, { arm, budget }: ArmUse, metrics: ReadonlyMap<string, RunMetric>): StudyRun {
  const { id, number, seed, state, error, startedAt, endedAt, commit, codeVersion, cpu } = run;
  const seconds = startedAt === null || endedAt === null ? null : (endedAt.getTime() - startedAt.getTime()) / 1000;
  const own = { id, number, seed, state, error, endedAt, seconds, auditOf: auditOf(run), metrics };
  const arithmetic = arithmeticOf(run);
  const machine = cpu === null ? '' : `${cpu}${arithmeticWords(arithmetic)}`;
  const environment = { fingerprint: run.fingerprint, arithmetic: run.arithmetic, notes: run.notes };
  return { ...own, environment, arm: arm.name, budget, commit: commit ?? codeVersion ?? '', machine, arithmetic };
}

/** Says of a run whether its dataset had the content that is known, or that was met last where none is known. */
async function dataCheck(
  connection: Connection,
  found: readonly ConfigurationRun[],
  uses: ArmUses,
): Promise<(run: ConfigurationRun) => boolean> {
  const datasetOf = ({ configurationHash }: ConfigurationRun): string | null => {
    const [use] = uses.get(configurationHash) ?? [];
    return use === undefined ? null : (armConfiguration(use.arm, use.budget).dataset?.name ?? null);
  };
  const right = new Map<string, ReadonlySet<string>>();
  for (const name of new Set(found.filter(({ state }) => state === 'SUCCEEDED').map(datasetOf))) {
    if (name !== null) right.set(name, await rightFingerprints(connection, name));
  }
  return (run) => {
    const name = datasetOf(run);
    return name === null || (run.fingerprint !== null && right.get(name)?.has(run.fingerprint) === true);
  };
}

async function readInputs(
  connection: Connection,
  study: Study,
  runs: readonly ConfigurationRun[],
  uses: ArmUses,
): Promise<Map<string, RunInputRecord[]>> {
  if (study.arms.every(({ inputs = [] }) => inputs.length === 0)) return new Map();
  const takers = runs.filter(({ configurationHash }) =>
    uses.get(configurationHash)?.some(({ arm }) => (arm.inputs ?? []).length > 0),
  );
  const inputs = await listRunInputs(
    connection,
    takers.map(({ id }) => id),
  );
  const byRun = new Map<string, RunInputRecord[]>();
  for (const input of inputs) byRun.set(input.runId, [...(byRun.get(input.runId) ?? []), input]);
  return byRun;
}

/** Whether a run has just the inputs of its arm, from runs of the right arms, of the same budget where they have two. */
function hasInputs(
  { arm, budget }: ArmUse,
  inputs: readonly RunInputRecord[],
  known: { study: Study; runs: readonly ConfigurationRun[]; uses: ArmUses },
): boolean {
  const wanted = arm.inputs ?? [];
  if (wanted.length !== inputs.length) return false;
  return wanted.every(({ name, arm: sourceName, artifact }) => {
    const source = armByName(known.study, sourceName);
    const input = inputs.find((one) => one.name === name && one.artifactName === artifact);
    const run = known.runs.find(({ id }) => id === input?.sourceRunId);
    const sources = run === undefined ? [] : (known.uses.get(run.configurationHash) ?? []);
    const same = effectiveBudget(known.study, source, budget);
    return sources.some((use) => use.arm === source && use.budget === same);
  });
}
