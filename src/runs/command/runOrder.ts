import { badInput } from '#src/base/contracts/errors.ts';

/** `created`, `-duration`, `-metric.test/ndcg@10` as the API's RunOrder; a minus means the greatest first. */
export function parseOrder(text: string): { by: string; direction: 'ASC' | 'DESC' } {
  const descending = text.startsWith('-');
  const by = descending ? text.slice(1) : text;
  if (by === '') throw badInput('expected what to order by, such as -created or metric.test/loss', '--order');
  const metric = /^metric\.([^"].*)$/s.exec(by)?.[1];
  return { by: metric === undefined ? by : `metric.${JSON.stringify(metric)}`, direction: descending ? 'DESC' : 'ASC' };
}
