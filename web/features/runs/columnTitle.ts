import { metricOfColumn, metricOfCurve, pathOfColumn, textOfColumn } from '#web/lib/runColumn.ts';
import { isRunField } from './columnChoice.ts';

/** A column's head: `State`, `test/ndcg@10`, `sigmaW`. */
export function columnTitle(column: string): string {
  const metric = metricOfColumn(column);
  if (metric !== null) return metric;
  const curve = metricOfCurve(column);
  if (curve !== null) return `${curve} curve`;
  const text = textOfColumn(column);
  if (text !== null) return text;
  const path = pathOfColumn(column);
  if (path !== null) return path.replace(/^parameters\./, '');
  return isRunField(column) ? column.charAt(0).toUpperCase() + column.slice(1) : column;
}
