import { isFinal } from '#src/base/contracts/runState.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { printable, singleLine } from '#src/base/lib/printable.ts';
import { shownValue } from '#src/base/lib/shownValue.ts';
import type { SweepFragment, TrialFragment } from '#src/generated/api.ts';
import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { agentStart } from '#src/base/lib/agentStart.ts';
import { confirmedValues } from '#src/base/lib/confirmedValues.ts';
import { programName } from '#src/sweeps/search/programName.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { type Confirmations, definitionOf, type ParameterImportance } from './fetchSweeps.ts';
import type { Colours } from '#src/base/terminal/colours.ts';
import { formatAge, formatNumber } from '#src/base/terminal/formatNumber.ts';
import { renderTable } from '#src/base/terminal/table.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';

type Screen = Pick<Terminal, 'colours' | 'width'>;

/** A state as people read it. */
export function sweepStateText(state: SweepFragment['state'] | TrialFragment['state'], colours: Colours): string {
  const word = state.toLowerCase();
  switch (state) {
    case 'SUCCEEDED':
    case 'FINISHED':
      return colours.green(word);
    case 'FAILED':
      return colours.red(word);
    case 'PAUSED':
    case 'CANCELLED':
    case 'PRUNED':
      return colours.yellow(word);
    case 'RUNNING':
      return colours.cyan(word);
    default:
      return assertNever(state);
  }
}

/** `5 of 40 trials, 2 running, 1 failed`. */
function progressText({ counts }: SweepFragment): string {
  const { total, running, failed, cancelled, pruned, planned } = counts;
  const head = planned === null ? `${total} trials` : `${total} of ${planned} trials`;
  const parts = [
    ...(running > 0 ? [`${running} running`] : []),
    ...(pruned > 0 ? [`${pruned} pruned`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  return [head, ...parts].join(', ');
}

/** One line: what a sweep is, how far it is, what is best. */
export function sweepLine(sweep: SweepFragment, { colours }: Pick<Terminal, 'colours'>): string {
  const best = sweep.best === null ? '' : `, best ${formatNumber(sweep.best.objective)} (trial ${sweep.best.number})`;
  return `sweep #${sweep.number} ${printable(sweep.name)}: ${sweepStateText(sweep.state, colours)}, ${progressText(sweep)}${best}`;
}

/** What a sweep is and its best trials first, at most `limit`. */
export function sweepLines(
  sweep: SweepFragment,
  trials: readonly TrialFragment[],
  { screen, limit }: { screen: Screen; limit: number },
): string[] {
  const { colours } = screen;
  const { method, kind, dataset, metric, seeds, command, agentLine } = definitionOf(sweep);
  const line = command?.line ?? agentLine;
  const subject = line == null ? kind : singleLine(programName(line));
  const data = typeof dataset === 'string' ? ` on ${dataset}` : dataset == null ? '' : ` on ${shownValue(dataset)}`;
  const aim = metric === null ? '' : `, ${metric.goal} ${singleLine(metric.name)}`;
  const lines = [
    `${colours.bold(`Sweep #${sweep.number}: ${printable(sweep.name)}`)} ${sweepStateText(sweep.state, colours)}${sweep.reason === '' ? '' : `: ${printable(sweep.reason)}`}`,
    colours.dim(
      `${method} over ${subject}${data}${aim}, seeds ${seeds.join(', ')} in project ${printable(sweep.project.name)}`,
    ),
    progressText(sweep),
  ];
  if (trials.length === 0) return lines;
  const shown = bestFirst(trials, metric?.goal).slice(0, limit);
  lines.push('', ...trialTable(shown, screen));
  const failed = shown.find((trial) => trial.error !== null);
  if (failed?.error != null)
    lines.push(colours.dim(`trial ${failed.number} failed: ${printable(failed.error.split('\n')[0] ?? '')}`));
  if (shown.length < trials.length) lines.push(colours.dim(`${shown.length} of ${trials.length}; --limit shows more`));
  return lines;
}

interface Measured {
  number: number;
  objective: unknown;
}

/** Trials in the order in which they are listed. */
export function bestFirst<Trial extends Measured>(trials: readonly Trial[], goal: string | undefined): Trial[] {
  return [...trials].sort((a, b) => rank(a, goal) - rank(b, goal) || a.number - b.number);
}

/** The best first, then those whose objective is no finite number, which samplers count as failed, then those without one. */
function rank({ objective }: Measured, goal: string | undefined): number {
  if (objective === null) return Number.POSITIVE_INFINITY;
  const value = Number(objective);
  if (!Number.isFinite(value)) return Number.MAX_VALUE;
  return goal === 'maximize' ? -value : value;
}

/** The objective; of a pruned trial what it had come to: `0.031 at 3`, the iteration. */
function objectiveText({ state, objective, rung }: TrialFragment): string {
  if (state !== 'PRUNED' || rung === null) return formatNumber(objective);
  return `${formatNumber(rung.value)} at ${rung.iteration}`;
}

function trialTable(trials: readonly TrialFragment[], { colours, width }: Screen): string[] {
  const paths = [...new Set(trials.flatMap(({ point }) => Object.keys(asPlainObject(point))))].sort();
  const columns = [
    { header: 'TRIAL', align: 'right' as const },
    { header: 'STATE' },
    { header: 'OBJECTIVE', align: 'right' as const },
    { header: 'EPOCHS', align: 'right' as const },
    ...paths.map((header) => ({ header, align: 'right' as const, minimum: 8 })),
    { header: 'RUNS' },
  ];
  const rows = trials.map((trial) => [
    String(trial.number),
    sweepStateText(trial.state, colours),
    objectiveText(trial),
    formatNumber(trial.epochs),
    ...paths.map((path) => cell(asPlainObject(trial.point)[path])),
    trial.runs.map(({ number }) => `#${number}`).join(' '),
  ]);
  return renderTable(columns, rows, { width: width(), styleHeader: colours.bold });
}

/** What fresh seeds say of the best trial: `on fresh seeds: 0.0271 ± 0.0063 (2), #31 #32`. */
export function confirmationLines(
  sweep: SweepFragment,
  { confirmations: runs, untakenConfirmations: untaken }: Confirmations,
): string[] {
  if (runs.length + untaken.length === 0) return [];
  const values = confirmedValues(runs, definitionOf(sweep).metric);
  const waiting = runs.filter(({ state }) => !isFinal(state)).length;
  const found = values.length === 0 ? null : summarizeReplicates(values);
  const deviation = found?.standardDeviation == null ? '' : ` ± ${formatNumber(found.standardDeviation)}`;
  const parts = [
    ...(found === null ? [] : [`${formatNumber(found.mean)}${deviation} (${found.n})`]),
    ...(waiting === 0 ? [] : [`${waiting} under way`]),
    ...(untaken.length === 0 ? [] : [untakenText(sweep, untaken)]),
    ...(found === null && waiting + untaken.length === 0 ? ['no run has succeeded'] : []),
    ...(runs.length === 0 ? [] : [runs.map(({ number }) => `#${number}`).join(' ')]),
  ];
  return ['', `on fresh seeds: ${parts.join(', ')}`];
}

/** What starts agents that execute these seeds: `seeds 5, 6 wait for agents (python -m warren agent 3)`. */
export function untakenText(sweep: Pick<SweepFragment, 'number' | 'definition'>, seeds: readonly number[]): string {
  const one = seeds.length === 1;
  const start = agentStart(sweep.number, definitionOf(sweep).agentLine);
  return `${one ? 'seed' : 'seeds'} ${seeds.join(', ')} ${one ? 'waits' : 'wait'} for agents (${start})`;
}

/** Which parameters matter, in a line: `importance: learningRate 0.71, dimension 0.18`. */
export function importanceLines(importance: readonly ParameterImportance[]): string[] {
  if (importance.length === 0) return [];
  const parts = importance.map(({ path, importance: share }) => `${printable(path)} ${share.toFixed(2)}`);
  return ['', `importance: ${parts.join(', ')}`];
}

function cell(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' ? printable(value) : shownValue(value);
}

/** Sweeps, one a line. */
export function sweepTable(sweeps: readonly SweepFragment[], { colours, width }: Screen, now: Date): string[] {
  const columns = [
    { header: '#', align: 'right' as const },
    { header: 'STATE' },
    { header: 'NAME', minimum: 10 },
    { header: 'METHOD' },
    { header: 'KIND' },
    { header: 'TRIALS', align: 'right' as const },
    { header: 'BEST', align: 'right' as const },
    { header: 'METRIC' },
    { header: 'CREATED' },
  ];
  const rows = sweeps
    .map((sweep) => ({ ...sweep, definition: definitionOf(sweep) }))
    .map(({ definition, counts, ...sweep }) => [
      String(sweep.number),
      sweepStateText(sweep.state, colours),
      printable(sweep.name),
      definition.method,
      definition.kind,
      counts.planned === null ? String(counts.total) : `${counts.total}/${counts.planned}`,
      formatNumber(sweep.best?.objective),
      definition.metric?.name ?? '',
      formatAge(sweep.createdAt, now),
    ]);
  return renderTable(columns, rows, { width: width(), styleHeader: colours.bold });
}

/** A sweep for `--json`, with its trials where they were asked for. */
export function sweepJson(sweep: SweepFragment, trials?: readonly TrialFragment[]): Record<string, unknown> {
  return { ...sweep, ...(trials === undefined ? {} : { trials }) };
}
