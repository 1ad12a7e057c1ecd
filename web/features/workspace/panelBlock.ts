import type { CurveSettings, Panel, Workspace } from '#src/contracts/workspace.ts';

/** Which runs the panels beside a table draw. */
export interface DrawnRuns {
  project: string | null;
  filter: string;
  /** Fields that the table groups by. */
  groupBy: readonly string[];
}

const COLORED: readonly string[] = ['line', 'bar', 'box'];
/** What a block takes where it says nothing. */
const USUAL_FIRST = 20;

/** The block of a report that draws what a panel does; null for panels that reports do not have. */
export function panelBlock(
  { kind, metrics, fields, formula, height, settings: own }: Panel,
  { curves, replicates, colorBy, settings: all }: Workspace,
  { project, filter, groupBy }: DrawnRuns,
): string | null {
  const lists = [metrics, fields, groupBy];
  if (kind === 'media' || formula !== undefined || lists.some((list) => list.some((one) => /[,\n]/.test(one))))
    return null;
  const groups = groupBy.length > 0 ? groupBy : replicates ? ['configuration'] : [];
  const lines: [key: string, value: string | null][] = [
    ['metric', metrics.join(', ')],
    ['kind', kind === 'line' ? null : kind],
    ['fields', fields.length === 0 ? null : fields.join(', ')],
    ['project', project],
    ['filter', filter === '' ? null : filter.replaceAll('\n', ' ')],
    ['group by', groups.length === 0 ? null : groups.join(', ')],
    ['first', curves === USUAL_FIRST ? null : String(curves)],
    ['colors by', COLORED.includes(kind) ? colorBy : null],
    ['height', height === 1 ? null : String(height)],
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
    ['ignore outliers', yes(settings.ignoreOutliers)],
    ['smoothing', text(settings.smoothing)],
    ['smoothness', text(settings.smoothness)],
    ['band', text(settings.band)],
  ];
}
