import { assertNever } from '#src/base/lib/assertNever.ts';
import type {
  CellReport,
  CellVerdict,
  ClaimVerdict,
  StudyReport,
  StudyState,
  TableLineReport,
} from '../verdicts/studyReport.ts';

/** A verdict as people read it. */
export function verdictText(verdict: CellVerdict | ClaimVerdict | StudyState): string {
  switch (verdict) {
    case 'NOT_RUNNABLE':
      return 'cannot be run';
    case 'NOT_RUN':
    case 'NOT_PRINTED':
    case 'AGREES':
    case 'DIFFERS':
    case 'SHORTENED':
    case 'CONFIRMED':
    case 'REFUTED':
    case 'UNDECIDED':
    case 'RUNNING':
    case 'PARTLY':
    case 'COMPLETE':
      return verdict.toLowerCase().replace('_', ' ');
    default:
      return assertNever(verdict);
  }
}

/** A number of a cell; small ones that the decimals would hide, such as p-values, with an exponent. */
export function numberText(value: number, digits: number): string {
  const fixed = value.toFixed(digits);
  const text = value !== 0 && Number(fixed) === 0 ? value.toExponential(1) : fixed.replace(/^-(0\.?0*)$/, '$1');
  return text.replace(/^-/, '−');
}

/** `0.0219 ± 0.0003 (5)`; empty where nothing is measured. */
export function measuredText(
  { mean, standardDeviation, n, digits }: Pick<CellReport, 'mean' | 'standardDeviation' | 'n' | 'digits'>,
  plusMinus = '±',
): string {
  if (mean === null) return '';
  const spread = standardDeviation === null ? '' : ` ${plusMinus} ${numberText(standardDeviation, digits)} (${n})`;
  return `${numberText(mean, digits)}${spread}`;
}

/** The printed number with its deviation; empty where there is none. */
export function printedText({ printed, digits }: Pick<CellReport, 'printed' | 'digits'>, plusMinus = '±'): string {
  if (printed === null) return '';
  const { value, standardDeviation } = printed;
  const spread = standardDeviation === null ? '' : ` ${plusMinus} ${numberText(standardDeviation, digits)}`;
  return `${numberText(value, digits)}${spread}`;
}

/** The measured less the printed number, with its sign; empty where one is missing. */
export function differenceText({ difference, digits }: Pick<CellReport, 'difference' | 'digits'>): string {
  if (difference === null) return '';
  const text = Math.abs(difference).toFixed(digits);
  if (Number(text) === 0) return text;
  return `${difference < 0 ? '−' : '+'}${text}`;
}

/** `p = 0.03`, `p < 0.0001`. */
export function probabilityText(p: number): string {
  if (p < 1e-4) return `${p < 1e-300 ? 'p < 1e-300' : `p = ${p.toExponential(1)}`}`;
  return `p = ${p.toFixed(p < 0.001 ? 4 : 3)}`;
}

/** Cells of a table by their place. */
export function cellsByPlace({
  cells,
}: StudyReport): (row: TableLineReport, column: TableLineReport) => CellReport | null {
  const byPlace = new Map(cells.map((cell) => [JSON.stringify([cell.row, cell.column]), cell]));
  return (row, column) => byPlace.get(JSON.stringify([row.name, column.name])) ?? null;
}

/** `3 agree, 1 differs, 4 not run`; empty for studies without a table. */
export function countsText({ cells }: { cells: readonly Pick<CellReport, 'verdict'>[] }): string {
  const counts = new Map<CellVerdict, number>();
  for (const { verdict } of cells) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const order: readonly CellVerdict[] = [
    'AGREES',
    'DIFFERS',
    'UNDECIDED',
    'SHORTENED',
    'NOT_PRINTED',
    'NOT_RUN',
    'NOT_RUNNABLE',
  ];
  return order
    .filter((verdict) => counts.has(verdict))
    .map(
      (verdict) =>
        `${counts.get(verdict) ?? 0} ${verdict === 'AGREES' ? 'agree' : verdict === 'DIFFERS' ? 'differ' : verdictText(verdict)}`,
    )
    .join(', ');
}

/** `1 confirmed, 2 undecided`; empty without claims. */
export function claimsText({ claims }: { claims: readonly { verdict: ClaimVerdict }[] }): string {
  const verdicts: readonly ClaimVerdict[] = ['CONFIRMED', 'REFUTED', 'UNDECIDED'];
  return verdicts
    .map((verdict) => ({ verdict, count: claims.filter((claim) => claim.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${verdictText(verdict)}`)
    .join(', ');
}
