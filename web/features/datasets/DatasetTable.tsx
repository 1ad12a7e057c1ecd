import { Link } from '@tanstack/react-router';
import type { DatasetRow } from './useDatasetStatistics.ts';
import { useNarrow } from '#web/components/useNarrow.ts';
import { readDatasetStatistics } from '#web/lib/datasetStatistics.ts';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import './datasets.css';

export interface DatasetTableProps {
  datasets: readonly DatasetRow[];
  /** Whether the lines say of which dataset they are. */
  named?: boolean;
  /** What they are together, for those who do not see it. */
  label?: string;
  /** Runs by the name of their dataset. */
  runCounts?: ReadonlyMap<string, number>;
}

const NOT_COUNTED: ReadonlyMap<string, number> = new Map();

/** Datasets in the order in which they come, with what was counted and what is printed. */
export function DatasetTable({
  datasets,
  named = true,
  label = 'Datasets',
  runCounts = NOT_COUNTED,
}: DatasetTableProps) {
  const narrow = useNarrow();
  return (
    <section className="panel" aria-label={label}>
      <div className="table-scroll">
        <table className="table dataset-table">
          <thead>
            <tr>
              {named && !narrow && <th scope="col">Dataset</th>}
              <th scope="col">Counted or printed</th>
              <th scope="col" className="number">
                Users
              </th>
              <th scope="col" className="number">
                Items
              </th>
              <th scope="col" className="number">
                Interactions
              </th>
              {!narrow && (
                <>
                  <th scope="col" className="number">
                    Density
                  </th>
                  <th scope="col" className="number">
                    Mean length
                  </th>
                </>
              )}
            </tr>
          </thead>
          {datasets.map((dataset) => (
            <DatasetLines key={dataset.name} {...{ dataset, narrow, named }} runs={runCounts.get(dataset.name) ?? 0} />
          ))}
        </table>
      </div>
    </section>
  );
}

interface Line {
  key: string;
  source: string;
  note: string | null;
  users: number;
  items: number;
  interactions: number;
}

function linesOf({ versions, published }: DatasetRow): Line[] {
  const counted = versions.flatMap(({ fingerprint, statistics }) => {
    const found = readDatasetStatistics(statistics);
    if (found === null) return [];
    const { users, items, interactions, preprocessing = 'as it is' } = found;
    return [{ key: fingerprint, source: `counted, ${preprocessing}`, note: fingerprint, users, items, interactions }];
  });
  return [...counted, ...published.map((numbers) => ({ key: numbers.source, ...numbers }))];
}

const COLUMNS = 6;
/** On a phone the name stands in a row of its own, and what follows from the other numbers is left to the dataset's page. */
const NARROW_COLUMNS = 4;

interface DatasetLinesProps {
  dataset: DatasetRow;
  narrow: boolean;
  named: boolean;
  runs: number;
}

function DatasetLines({ dataset, narrow, named, runs }: DatasetLinesProps) {
  const lines = linesOf(dataset);
  const head = named && (
    <th scope="rowgroup" {...(narrow ? { colSpan: NARROW_COLUMNS } : { rowSpan: Math.max(1, lines.length) })}>
      <Link to="/datasets/$" params={{ _splat: dataset.name }}>
        {dataset.title}
      </Link>
      {dataset.name !== dataset.title && (
        <div className="muted">
          <code>{dataset.name}</code>
        </div>
      )}
      {runs > 0 && (
        <div className="dataset-runs">
          <Link to="/runs" search={{ filter: `dataset = ${JSON.stringify(dataset.name)}` }}>
            {runs === 1 ? '1 run' : `${formatCount(runs)} runs`}
          </Link>
        </div>
      )}
    </th>
  );
  if (lines.length === 0) {
    return (
      <tbody>
        {named && narrow && <tr>{head}</tr>}
        <tr>
          {!narrow && head}
          <td colSpan={narrow ? NARROW_COLUMNS : COLUMNS} className="muted">
            no run has counted it yet
          </td>
        </tr>
      </tbody>
    );
  }
  return (
    <tbody>
      {named && narrow && <tr>{head}</tr>}
      {lines.map((line, index) => (
        <tr key={line.key}>
          {index === 0 && !narrow && head}
          <td title={line.note ?? undefined}>{line.source}</td>
          <td className="number">{formatCount(line.users)}</td>
          <td className="number">{formatCount(line.items)}</td>
          <td className="number">{formatCount(line.interactions)}</td>
          {!narrow && (
            <>
              <td className="number">{formatNumber(line.interactions / (line.users * line.items))}</td>
              <td className="number">{(line.interactions / line.users).toFixed(1)}</td>
            </>
          )}
        </tr>
      ))}
    </tbody>
  );
}
