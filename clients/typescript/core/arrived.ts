import { HasArrivedDocument, LogThereDocument, type LogThereQuery } from '../generated/api.ts';
import type { JournalRecord } from './records.ts';
import type { RecordStore } from './recordStore.ts';
import type { Transport } from './transport.ts';

type LineRecord = Extract<JournalRecord, ['line', ...unknown[]]>;

/** Lines of a log by their time and text, with how often each is there. */
export type LinesThere = Map<string, number>;

/** The lines of a run's log: copies of one journal, and a copy after its original, add none twice. @throws Unreachable or Refused */
export async function linesThere(transport: Transport, run: string, longest: number): Promise<LinesThere> {
  const found: LinesThere = new Map();
  let after: string | null = null;
  for (;;) {
    const { logs }: LogThereQuery = await transport.ask(LogThereDocument, { run, after });
    for (const { time, text } of logs.lines) {
      const key = keyOf(Date.parse(String(time)), text.slice(0, longest));
      found.set(key, (found.get(key) ?? 0) + 1);
    }
    if (!logs.hasMore) return found;
    after = logs.cursor ?? null;
  }
}

/** Records of lines without those that are there, each as often as it is. */
export function withoutThose(records: LineRecord[], there: LinesThere, longest: number): LineRecord[] {
  return records.filter(([, time, , text]) => {
    const key = keyOf(time, text.slice(0, longest));
    const count = there.get(key) ?? 0;
    if (count > 0) there.set(key, count - 1);
    return count === 0;
  });
}

/** Whether the server has all of a journal: points and things to look at up to their last steps, lines, and files. @throws Unreachable or Refused */
export async function isAllThere(
  transport: Transport,
  id: string,
  store: RecordStore,
  longest: number,
): Promise<boolean> {
  const { run } = await transport.ask(HasArrivedDocument, { id });
  if (run == null) return false;
  const steps = new Map(run.metrics.map(({ name, lastStep }) => [name, lastStep]));
  const media = new Map(run.mediaSeries.map((series) => [series.name, new Set(series.steps)]));
  const files = new Set(run.artifacts.map(({ name }) => name));
  const log = await linesThere(transport, id, longest);
  const isThere = (record: JournalRecord): boolean => {
    if (record[0] === 'line') return withoutThose([record], log, longest).length === 0;
    if (record[0] === 'metrics') return Object.keys(record[3]).every((name) => (steps.get(name) ?? -1) >= record[1]);
    if (record[0] === 'media') return media.get(record[1])?.has(record[2]) ?? false;
    return record[0] !== 'artifact' || files.has(record[1]);
  };
  for (let offset = 0; ; ) {
    const { records, end } = store.read(offset);
    if (!records.every(isThere)) return false;
    if (end === offset) return true;
    offset = end;
  }
}

function keyOf(time: number, text: string): string {
  return `${time} ${text}`;
}
