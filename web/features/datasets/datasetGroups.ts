import type { DatasetRow } from './useDatasetStatistics.ts';

export interface DatasetGroup {
  title: string;
  datasets: DatasetRow[];
  /** Whether it is shown without being opened. */
  isOpen: boolean;
}

/** Families by the first part of a name, as people call them. */
const FAMILIES: Readonly<Record<string, string>> = { ucr: 'UCR time series', generated: 'Generated' };

/**
 * Datasets in groups: those that runs use, the most used first; then those with printed numbers; then families of many, such as
 * `ucr/`, and the rest. What was looked for is open wherever it stands.
 * @param runCounts Runs by the name of their dataset.
 */
export function datasetGroups(
  datasets: readonly DatasetRow[],
  { runCounts, wanted }: { runCounts: ReadonlyMap<string, number>; wanted: string },
): DatasetGroup[] {
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = datasets.filter(({ name, title }) => {
    const text = `${name} ${title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const countOf = ({ name }: DatasetRow) => runCounts.get(name) ?? 0;
  const used = found.filter((dataset) => dataset.versions.length > 0 || countOf(dataset) > 0);
  used.sort((a, b) => countOf(b) - countOf(a));
  const groups = new Map<string, DatasetRow[]>([
    ['Used by runs', used],
    ['Not used yet', []],
  ]);
  for (const dataset of found) {
    if (used.includes(dataset)) continue;
    const [prefix = ''] = dataset.name.split('/', 1);
    const title = (dataset.name.includes('/') ? FAMILIES[prefix] : undefined) ?? 'Not used yet';
    groups.set(title, [...(groups.get(title) ?? []), dataset]);
  }
  return [...groups].flatMap(([title, members]) =>
    members.length === 0
      ? []
      : [{ title, datasets: members, isOpen: words.length > 0 || !Object.values(FAMILIES).includes(title) }],
  );
}
