import { csvLine } from '#src/base/lib/csvLine.ts';
import type { Figure } from './figure.ts';

/** Rows as CSV, the first being the header. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map(csvLine).join('');
}

/** The data of a figure in long form, one value per line: series, x, y and, where there is one, the band. */
export function figureTable(figure: Figure): (string | number)[][] {
  if (figure.form === 'heat-map') {
    const { x, y, values } = figure;
    const rows = values.flatMap((row, r) =>
      row.map((value, c) => [x.categories?.[c] ?? c, y.categories?.[r] ?? r, value]),
    );
    return [[x.title, y.title, figure.valueTitle], ...rows];
  }
  const hasBand = figure.series.some((series) => series.form !== 'bars' && series.band !== undefined);
  const header = ['series', figure.x.title, figure.y.title, ...(hasBand ? ['low', 'high'] : [])];
  const rows = figure.series.flatMap((series) => {
    if (series.form === 'bars') {
      return series.values.map((value, i) => [series.name, figure.x.categories?.[i] ?? i, value]);
    }
    return series.x.map((x, i) => {
      const place = figure.x.scale === 'category' ? (figure.x.categories?.[x] ?? x) : x;
      const band = hasBand ? [series.band?.low[i] ?? '', series.band?.high[i] ?? ''] : [];
      return [series.name, place, series.y[i] ?? Number.NaN, ...band];
    });
  });
  return [header, ...rows];
}
