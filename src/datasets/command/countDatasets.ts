import { knownDataset } from '#src/catalog/datasets.ts';
import { type DatasetReport, datasetReportSchema } from '#src/base/contracts/datasetReport.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { datasetsSchema, inspectNumerics } from '#src/base/terminal/inspectNumerics.ts';
import { renderTable } from '#src/base/terminal/table.ts';

interface CountedRow {
  dataset: string;
  under: string;
  counted: string;
  published: string;
  source: string;
}

const count = (value: number): string => value.toLocaleString('en');

function sizes({ users, items, interactions }: { users: number; items: number; interactions: number }): string {
  return `${count(users)} × ${count(items)}, ${count(interactions)}`;
}

/** One row for each number that a source prints; one without a source where none does. */
export function countedRows(report: DatasetReport): CountedRow[] {
  const { name: dataset, sequences, series, prices, text } = report;
  const alone = (counted: string): CountedRow => ({ dataset, under: 'as it is', counted, published: '', source: '' });
  if (prices !== null) return [alone(`${count(prices.days)} days`)];
  if (text !== null) return [alone(`${count(text.train)} + ${count(text.test)} texts`)];
  if (series !== null) {
    const words = (of: { train: number; test: number; length: number; classes: number }): string =>
      `${count(of.train)} + ${count(of.test)} series of ${of.length}, ${of.classes} classes`;
    const { train, test, classes } = series;
    const longest = Math.max(train.longest, test?.longest ?? 0);
    const row = alone(
      words({ train: train.series, test: test?.series ?? 0, length: longest, classes: classes.length }),
    );
    const published = knownDataset(dataset)?.publishedSeries;
    return [published === undefined ? row : { ...row, published: words(published), source: published.source }];
  }
  if (sequences === null) return [];
  if (sequences.comparisons.length === 0) return [alone(sizes(sequences))];
  return sequences.comparisons.map(({ source, preprocessing, published, counted }) => ({
    dataset,
    under: preprocessing,
    counted: counted === null ? 'nothing left' : sizes(counted),
    published: sizes(published),
    source,
  }));
}

/** Counts every dataset that is here and prints the numbers beside the published ones: users × items, interactions. */
export async function countDatasets(context: CommandContext, json: boolean): Promise<void> {
  const { terminal } = context;
  const found = await inspectNumerics(context, ['datasets'], datasetsSchema);
  const rows: CountedRow[] = [];
  for (const { name, path } of found) {
    if (path === null) continue;
    try {
      const question = JSON.stringify({ name, lenient: false, folder: null });
      rows.push(...countedRows(await inspectNumerics(context, ['report', question], datasetReportSchema)));
    } catch (thrown) {
      // one bad file must not hide the others
      terminal.say(`warren: ${coerceError(thrown).message}`);
    }
  }
  if (json) {
    terminal.print(JSON.stringify(rows, null, 2));
    return;
  }
  const columns = ['DATASET', 'UNDER', 'COUNTED', '', 'PUBLISHED', 'SOURCE'].map((header) => ({ header }));
  const lines = renderTable(
    columns,
    rows.map(({ dataset, under, counted, published, source }) => [
      dataset,
      under,
      counted,
      published === '' ? '' : published === counted ? '=' : '≠',
      published,
      source,
    ]),
    { styleHeader: terminal.colours.bold },
  );
  terminal.print(lines.join('\n'));
}
