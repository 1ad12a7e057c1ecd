import { LogLinesDocument, LogMetricsDocument, MetricNamesDocument } from '../generated/api.ts';
import type { Channel } from './channel.ts';
import { columnsOf, type Metrics } from './groups.ts';
import type { JournalRecord } from './records.ts';

/** What the server names of points that would give a run more metrics than it may have. */
const TOO_MANY = 'series';
const MOST_LINES = 2000;
export const LONGEST_LINE = 20_000;

/** Sends points; where the server refuses some of them, all others. */
export async function sendPoints(channel: Channel, given: Metrics[]): Promise<void> {
  const records = withRoom(channel, given);
  if (records.length === 0) return;
  const series = columnsOf(records);
  const reason = await channel.ask(LogMetricsDocument, { run: channel.runId, series });
  if (reason === null) return;
  // one of them is refused: find out which, so that all others arrive
  const names = series.map(({ name }) => name);
  const areTooMany = channel.refusedPath === TOO_MANY;
  if (names.length > 1 && (records.length === 1 || areTooMany)) {
    const first = new Set(names.slice(0, names.length >> 1));
    await sendPoints(
      channel,
      partOf(records, (name) => first.has(name)),
    );
    await sendPoints(
      channel,
      partOf(records, (name) => !first.has(name)),
    );
  } else if (areTooMany && channel.full === null) {
    // there is room for none: asked once, for a program may log thousands of names at each of its steps
    const { run } = await channel.transport.ask(MetricNamesDocument, { id: channel.runId });
    channel.full = { names: new Set(run?.metrics.map(({ name }) => name)), reason };
    await sendPoints(channel, records);
  } else if (records.length > 1) {
    const middle = records.length >> 1;
    await sendPoints(channel, records.slice(0, middle));
    await sendPoints(channel, records.slice(middle));
  } else channel.refuse(records[0], reason);
}

/** Without the metrics for which the run has no room, which are put away as refused. */
function withRoom(channel: Channel, records: Metrics[]): Metrics[] {
  const { full } = channel;
  if (full === null) return records;
  for (const beyond of partOf(records, (name) => !full.names.has(name))) channel.refuse(beyond, full.reason);
  return partOf(records, (name) => full.names.has(name));
}

/** The same records with some of their metrics; those that have none of them are left out. */
function partOf(records: Metrics[], isOfPart: (name: string) => boolean): Metrics[] {
  return records.flatMap(([type, step, time, numbers]): Metrics[] => {
    const part = Object.fromEntries(Object.entries(numbers).filter(([name]) => isOfPart(name)));
    return Object.keys(part).length === 0 ? [] : [[type, step, time, part]];
  });
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
