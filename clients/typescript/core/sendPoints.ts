import { LogLinesDocument, LogMetricsDocument } from '../generated/api.ts';
import type { Channel } from './channel.ts';
import { columnsOf, type Metrics } from './groups.ts';
import type { JournalRecord } from './records.ts';

const MOST_LINES = 2000;
const LONGEST_LINE = 20_000;

/** Sends points; where the server refuses some of them, all others. */
export async function sendPoints(channel: Channel, records: Metrics[]): Promise<void> {
  if (records.length === 0) return;
  const reason = await channel.ask(LogMetricsDocument, { run: channel.runId, series: columnsOf(records) });
  if (reason === null) return;
  // one of them is refused: find out which, so that all others arrive
  const [[, step, time, numbers]] = records as [Metrics];
  const names = Object.keys(numbers);
  if (records.length > 1) {
    const middle = records.length >> 1;
    await sendPoints(channel, records.slice(0, middle));
    await sendPoints(channel, records.slice(middle));
  } else if (names.length > 1) {
    for (const name of names) await sendPoints(channel, [['metrics', step, time, { [name]: numbers[name] ?? 'NaN' }]]);
  } else channel.refuse(records[0], reason);
}

/** Sends lines of the log, the first of which has this number. Answers the number of the next one. */
export async function sendLines(
  channel: Channel,
  records: Extract<JournalRecord, ['line', ...unknown[]]>[],
  first: number,
): Promise<number> {
  for (let start = 0; start < records.length; start += MOST_LINES) {
    const part = records.slice(start, start + MOST_LINES);
    const lines = part.map(([, time, level, text]) => ({ time, level, text: text.slice(0, LONGEST_LINE) }));
    const reason = await channel.ask(LogLinesDocument, { run: channel.runId, from: first + start, lines });
    if (reason !== null) channel.refuse(['lines', lines.length], reason);
  }
  return first + records.length;
}
