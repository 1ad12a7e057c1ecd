import type { CurveSettings, Panel, Workspace } from '#src/base/contracts/workspace.ts';
import { metricOfColumn } from '#web/lib/runColumn.ts';

/** Which runs the panels beside a table draw. */
export interface DrawnRuns {
  project: string | null;
  filter: string;
  /** Fields that the table groups by. */
  groupBy: readonly string[];
  /** The column that the table is ordered by; null: as without a word. */
  order: string | null;
  isAscending: boolean;
  /** How many curves there are. */
  drawn: number;
}

const COLORED: readonly string[] = ['line', 'bar', 'box'];
/** What a block takes where it says nothing. */
const USUAL_FIRST = 20;

/** The block of a report that draws what a panel does; null where a name has a comma or a line break, which no block can say. */
export function panelBlock(
  { kind, metrics, fields, formula, height, media, settings: own }: Panel,
  { curves, replicates, colorBy, settings: all }: Workspace,
  { project, filter, groupBy, order, isAscending, drawn }: DrawnRuns,
): string | null {
  const lists = [metrics, fields, groupBy];
  if (lists.some((list) => list.some((one) => /[,\n]/.test(one)))) return null;
  const groups = groupBy.length > 0 ? groupBy : replicates ? ['configuration'] : [];
  const asMetric = order === null ? null : metricOfColumn(order);
  const ordered = groupBy.length > 0 || (asMetric !== null && metrics.includes(asMetric)) ? asMetric : order;
  // replicates are found among the first runs of the table, in a report among all
  const first = groupBy.length === 0 && replicates ? drawn : curves;
  const lines: [key: string, value: string | null][] = [
    ['metric', metrics.join(', ')],
    ['formula', formula?.replaceAll('\n', ' ') ?? null],
    ['kind', kind === 'line' ? null : kind],
    ['fields', fields.length === 0 ? null : fields.join(', ')],
    ['project', project],
    ['filter', filter === '' ? null : filter.replaceAll('\n', ' ')],
    ['group by', groups.length === 0 ? null : groups.join(', ')],
    ['order', ordered === null ? null : `${isAscending ? '' : '-'}${ordered.replaceAll('\n', ' ')}`],
    ['first', first === USUAL_FIRST ? null : String(Math.max(1, first))],
    ['colors by', COLORED.includes(kind) ? colorBy : null],
    ['height', height === 1 ? null : String(height)],
    ['step', media?.step === undefined ? null : String(media.step)],
    ['size', media?.size ?? null],
    ['of each run', media?.first === undefined ? null : String(media.first)],
    ...(kind === 'line' ? settingLines({ ...all, ...own }) : []),
  ];
  const said = lines.flatMap(([key, value]) => (value === null ? [] : [`${key}: ${value}`]));
  return `\`\`\`warren-panel\n${said.join('\n')}\n\`\`\`\n`;
}

function settingLines(settings: CurveSettings): [key: string, value: string | null][] {
  const yes = (value: boolean | undefined) => (value === true ? 'yes' : null);
  const text = (value: string | number | undefined) => (value === undefined ? null : String(value));
  return [
    ['x', text(settings.x)],
    ['log x', yes(settings.logX)],
    ['log y', yes(settings.logY)],
    ['x min', text(settings.xMin)],
    ['x max', text(settings.xMax)],
    ['y min', text(settings.yMin)],
    ['y max', text(settings.yMax)],
    ['ignore outliers', settings.ignoreOutliers === false ? 'no' : yes(settings.ignoreOutliers)],
    ['smoothing', text(settings.smoothing)],
    ['smoothness', text(settings.smoothness)],
    ['band', text(settings.band)],
  ];
}
