import { assertNever } from '#src/base/lib/assertNever.ts';
import type { Panel } from '#src/base/contracts/workspace.ts';
import { metricOfColumn, pathOfColumn } from '#web/lib/runColumn.ts';

/** A field or metric of a panel in few words: `learningRate`, `test/ndcg@10`. */
export function fieldWords(field: string): string {
  const path = pathOfColumn(field);
  if (path !== null) return path.replace(/^parameters\./, '').replace(/^dataset\.name$/, 'dataset');
  return metricOfColumn(field) ?? field;
}

/** What stands above a panel. */
export function panelTitle({ id, kind, metrics, fields, formula, pattern }: Panel): string {
  const [metric = ''] = metrics;
  const [first = '', second = ''] = fields.map(fieldWords);
  switch (kind) {
    case 'line':
      return formula ?? pattern ?? metrics.join(', ');
    case 'scatter':
      return `${metric} by ${first}`;
    case 'media':
      return metric;
    case 'bar':
      // the panel that a metric of one point has without a word
      if (id === `value:${metric}`) return metric;
      return `${metric}: mean with 95 % interval`;
    case 'box':
      return `${metric}: distribution`;
    case 'parallel':
      return `${metric} by parameters`;
    case 'importance':
      return `What matters to ${metric}`;
    case 'heat':
      return `${metric} by ${first} and ${second}`;
    default:
      return assertNever(kind);
  }
}
