import { assertNever } from '#src/base/lib/assertNever.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { DecisionFragment } from '#src/generated/api.ts';
import type { Colours } from '#src/base/terminal/colours.ts';
import { formatAge, formatNumber } from '#src/base/terminal/formatNumber.ts';
import { renderTable } from '#src/base/terminal/table.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';

type Screen = Pick<Terminal, 'colours' | 'width'>;
type Look = DecisionFragment['looks'][number];

function stateText(state: DecisionFragment['state'], colours: Colours): string {
  const word = state.toLowerCase();
  switch (state) {
    case 'DECIDED':
      return colours.green(word);
    case 'FAILED':
      return colours.red(word);
    case 'FUTILE':
    case 'UNDECIDED':
    case 'CANCELLED':
      return colours.yellow(word);
    case 'RUNNING':
      return colours.cyan(word);
    default:
      return assertNever(state);
  }
}

/** `after 7 pairs: 0.0121 (0.0034 to 0.0208), t 4.10, decides from 3.56`. */
export function lookLine({ metric }: DecisionFragment, look: Look): string {
  const { pairs, difference, low, high, t, boundary } = look;
  const interval = `${formatNumber(difference)} (${formatNumber(low)} to ${formatNumber(high)})`;
  return `after ${pairs} pairs: ${metric} differs by ${interval}, t ${tText(t)}, decides from ${boundary.toFixed(2)}`;
}

function tText(t: number | null): string {
  return t === null ? '-' : t.toFixed(2);
}

/** What was decided, in a sentence. */
export function decisionSentence(decision: DecisionFragment): string {
  const { state, metric, better, a, b, reason, looks } = decision;
  const look = looks.at(-1);
  switch (state) {
    case 'DECIDED': {
      const [first, second] = better === 'B' ? [b, a] : [a, b];
      const how = better === null ? 'differs from' : 'is better than';
      const size = formatNumber(Math.abs(look?.difference ?? Number.NaN));
      return `${printable(first.label)} ${how} ${printable(second.label)} in ${metric}, by ${size}${pText(look)}`;
    }
    case 'FUTILE':
      return `futile: ${reason}${pText(look)}`;
    case 'UNDECIDED':
      return `not decided: ${reason}${pText(look)}`;
    case 'FAILED':
    case 'CANCELLED':
      return printable(reason);
    case 'RUNNING':
      return '';
    default:
      return assertNever(state);
  }
}

function pText(look: Look | undefined): string {
  if (look?.p == null) return '';
  return `, p ${look.p < 1e-4 ? look.p.toExponential(1) : look.p.toFixed(4)} over all looks`;
}

/** `3 pairs fewer than the 9 of a single test`. */
export function savingText({ pairsSaved, fixedPairs }: DecisionFragment): string {
  if (pairsSaved === null) return '';
  const single = `the ${fixedPairs} of a single test for the same difference`;
  if (pairsSaved === 0) return `as many pairs as ${single}`;
  const count = Math.abs(pairsSaved);
  const saved = `${count} ${count === 1 ? 'pair' : 'pairs'} (${2 * count} runs)`;
  return `${saved} ${pairsSaved > 0 ? 'fewer' : 'more'} than ${single}`;
}

/** What a decision is, its looks, and how it ended. */
export function decisionLines(decision: DecisionFragment, { colours, width }: Screen): string[] {
  const { number, state, metric, alpha, power, effect, atMost, a, b, looks, pairs } = decision;
  const reused = pairs.reduce((sum, { reusedA, reusedB }) => sum + Number(reusedA) + Number(reusedB), 0);
  const lines = [
    `${colours.bold(`Decision #${number}: ${metric}`)} ${stateText(state, colours)}`,
    colours.dim(`A ${printable(a.label)}, B ${printable(b.label)}`),
    colours.dim(
      `alpha ${alpha}, power ${power} for a difference of ${effect.toFixed(2)} standard deviations of a pair, at most ${atMost} pairs`,
    ),
  ];
  if (looks.length > 0) lines.push('', ...lookTable(looks, { colours, width }));
  const ends = [decisionSentence(decision), savingText(decision)].filter((text) => text !== '');
  if (ends.length > 0) lines.push('', ...ends);
  if (reused > 0) lines.push(colours.dim(`${reused} of ${2 * pairs.length} runs were there before`));
  for (const { problem } of pairs) if (problem !== null) lines.push(colours.dim(`left out: ${printable(problem)}`));
  return lines;
}

function lookTable(looks: readonly Look[], { colours, width }: Screen): string[] {
  const right = { align: 'right' as const };
  const columns = [
    { header: 'PAIRS', ...right },
    { header: 'A - B', ...right },
    { header: 'LOW', ...right },
    { header: 'HIGH', ...right },
    { header: 't', ...right },
    { header: 'DECIDES FROM', ...right },
    { header: 'CHANCE', ...right },
  ];
  const rows = looks.map(({ pairs, difference, low, high, t, boundary, chance, verdict }) => [
    String(pairs),
    formatNumber(difference),
    formatNumber(low),
    formatNumber(high),
    tText(t),
    boundary.toFixed(2),
    verdict === 'decided' ? 'decided' : `${(100 * chance).toFixed(0)} %`,
  ]);
  return renderTable(columns, rows, { width: width(), styleHeader: colours.bold });
}

/** Decisions, one a line. */
export function decisionTable(decisions: readonly DecisionFragment[], { colours, width }: Screen, now: Date): string[] {
  const columns = [
    { header: '#', align: 'right' as const },
    { header: 'STATE' },
    { header: 'METRIC' },
    { header: 'A', minimum: 10 },
    { header: 'B', minimum: 10 },
    { header: 'PAIRS', align: 'right' as const },
    { header: 'BETTER' },
    { header: 'CREATED' },
  ];
  const rows = decisions.map(({ number, state, metric, a, b, pairs, atMost, better, createdAt }) => [
    String(number),
    stateText(state, colours),
    metric,
    printable(a.label),
    printable(b.label),
    `${pairs.length}/${atMost}`,
    better ?? '',
    formatAge(createdAt, now),
  ]);
  return renderTable(columns, rows, { width: width(), styleHeader: colours.bold });
}
