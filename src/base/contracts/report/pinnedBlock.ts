import type { ReportBlock, ShownRuns } from './reportBlock.ts';

/** The runs that a block showed when a version of its report was saved. */
export interface ReportPin {
  /** The place of the block among those of the report, from 0. */
  block: number;
  /** Numbers of those that are still there. */
  runs: readonly number[];
  /** Numbers of those that are not: deleted, in the trash, or where the reader does not look. */
  missing: readonly number[];
  /** How many are not there, also those that have no number on this server. */
  missingCount: number;
  /** How many runs there were, also those that the block left out. */
  matched: number;
}

/** A block that shows the runs of then, in the order of then. */
export function pinnedBlock(block: ReportBlock, { runs, matched }: Pick<ReportPin, 'runs' | 'matched'>): ReportBlock {
  if (block.type === 'comparison') return { ...block, runs };
  const shown: ShownRuns = { runs, project: null, filter: '', matched };
  if (block.type === 'panel') return { ...block, shown };
  const order = block.order ?? (block.shown.runs === null && block.groupBy.length === 0 ? '-number' : null);
  return { ...block, shown, order };
}

/** What is said of runs that a block showed and that are not there any more; null where all are. */
export function missingText({ missing, missingCount }: Pick<ReportPin, 'missing' | 'missingCount'>): string | null {
  if (missingCount === 0) return null;
  const [first, ...rest] = missing;
  const unknown = missingCount - missing.length;
  const named =
    first === undefined ? '' : `${rest.length === 0 ? 'run' : 'runs'} ${[first, ...rest.slice(0, 19)].join(', ')}`;
  const more = Math.max(0, rest.length - 19) + unknown;
  const others = more === 0 ? '' : named === '' ? `${more} ${more === 1 ? 'run' : 'runs'}` : ` and ${more} more`;
  return `Missing, since deleted or moved away: ${named}${others}.`;
}
