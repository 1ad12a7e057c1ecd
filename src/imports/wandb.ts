import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import { LONGEST_SHORT_TEXT } from '#src/base/contracts/media.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import type { ImportColumns } from './columnMap.ts';
import { looseNumber } from './looseNumbers.ts';
import { isMarked, nestedMembers } from './nestedMembers.ts';
import { MalformedMessage } from './protobuf.ts';
import { importId, type RunFacts, type SourceItem, type SourceRuns, storableMs } from './source.ts';
import { readWandbLog } from './wandbLog.ts';
import { mediaOfWandb } from './wandbMedia.ts';
import { readWandbRecord, type WandbItem, type WandbRecord, type WandbRunRecord } from './wandbRecords.ts';
import { userOfWandb } from './wandbUser.ts';

/** `.wandb` files at a path: itself, or those below a folder. */
function logFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .flatMap((entry) => {
      const inside = join(path, entry.name);
      // `latest-run` is a link to one of the others
      if (entry.isDirectory()) return logFiles(inside);
      return entry.isFile() && entry.name.endsWith('.wandb') ? [inside] : [];
    })
    .sort();
}

/**
 * The runs of W&B's offline folders (`wandb`, or one of a run in it), or of a file that was exported there: a table (CSV)
 * or JSON.
 * @throws WarrenError BAD_INPUT when there are none.
 */
export async function* wandbRuns(source: string, options: { project: string; map: ImportColumns }): SourceRuns {
  const { project } = options;
  if (!existsSync(source)) throw badInput(`${source}: there is no such file or folder`, 'source');
  if (/\.csv$/i.test(source)) {
    const { csvRuns } = await import('./csv.ts');
    return yield* csvRuns(source, { ...options, format: 'wandb' });
  }
  if (/\.jsonl?$/i.test(source)) {
    const { jsonLineRuns } = await import('./jsonLines.ts');
    return yield* jsonLineRuns(source, { ...options, format: 'wandb' });
  }
  const files = logFiles(source);
  if (files.length === 0) throw badInput(`${source}: there is no .wandb file in it or below`, 'source');
  for (const path of files) {
    const first = firstRun(path);
    const name = basename(path, '.wandb');
    const facts = first === null ? {} : factsOf(first, filesOf(path));
    yield {
      id: first === null ? importId('wandb', project, name) : importId('wandb', project, ...identity(first)),
      label: first?.name || first?.id || name,
      facts,
      read: () => new WandbReader(path).read(),
    };
  }
}

/** Points of a metric that are handed on together. */
const POINTS_AT_ONCE = 4_096;
const LONGEST_LINE = 100_000;

function identity({ entity, project, id, startedMs }: WandbRunRecord): string[] {
  return [entity, project, id, String(startedMs)];
}

function firstRun(path: string): WandbRunRecord | null {
  for (const record of records(path)) if (record.type === 'run') return record.run;
  return null;
}

/** Records that can be read; how it ended is what it returns. */
function* records(path: string): Generator<WandbRecord, string | null> {
  const log = readWandbLog(path);
  for (let next = log.next(); ; next = log.next()) {
    if (next.done === true) return next.value;
    try {
      const record = readWandbRecord(next.value);
      if (record !== null) yield record;
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
    }
  }
}

function nested(items: readonly WandbItem[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { path, value } of items) {
    const name = path.join('.');
    // what the client notes for itself
    if (name === '_wandb' || name.startsWith('_wandb.') || value === undefined) continue;
    Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return result;
}

/** The files that stand beside a `.wandb` file. */
const filesOf = (path: string): string => join(dirname(path), 'files');

function factsOf(run: WandbRunRecord, files: string): RunFacts {
  const { entity, project, id, group, jobType, host, startedMs } = run;
  const user = userOfWandb(files);
  return {
    name: run.name || id,
    tags: run.tags,
    parameters: nested(run.config),
    ...(user === null ? {} : { user }),
    ...(run.notes === '' ? {} : { notes: run.notes }),
    environment: { import: { format: 'wandb', run: id, entity, project, group, jobType }, host },
    ...(startedMs === null ? {} : { startedMs }),
  };
}

interface Series {
  steps: number[];
  values: number[];
  times: number[];
}

class WandbReader {
  private readonly series = new Map<string, Series>();
  private readonly names = new Set<string>();
  private readonly summary = new Map<string, number>();
  private readonly summaryTexts = new Map<string, string>();
  /** The newest text by name. */
  private readonly texts = new Map<string, string>();
  private step = -1;
  private latestMs = 0;
  private partial = { out: '', error: '' };
  private statsRows = 0;
  private ended = false;

  constructor(private readonly path: string) {}

  *read(): Generator<SourceItem> {
    const reading = records(this.path);
    for (let next = reading.next(); ; next = reading.next()) {
      if (next.done === true) {
        if (next.value !== null) {
          yield { type: 'warning', text: `${this.path}: ${next.value}: all before it is imported` };
        }
        break;
      }
      yield* this.take(next.value);
    }
    yield* this.rest();
  }

  private *take(record: WandbRecord): Generator<SourceItem> {
    if (record.type === 'run') {
      this.latestMs = Math.max(this.latestMs, record.run.startedMs ?? 0);
      yield { type: 'facts', facts: factsOf(record.run, filesOf(this.path)) };
    } else if (record.type === 'config') yield { type: 'facts', facts: { parameters: nested(record.items) } };
    else if (record.type === 'history') yield* this.takeHistory(record.step, record.items);
    else if (record.type === 'summary') this.takeSummary(record.items);
    else if (record.type === 'stats') yield* this.takeStats(record.timeMs, record.items);
    else if (record.type === 'output') yield* this.takeOutput(record);
    else {
      this.ended = true;
      const message = `the program ended with code ${record.code}`;
      const failed = { state: 'FAILED', errorMessage: message } as const;
      yield { type: 'facts', facts: record.code === 0 ? { state: 'SUCCEEDED' } : failed };
    }
  }

  private *takeHistory(given: number | null, items: readonly WandbItem[]): Generator<SourceItem> {
    const flat = items.flatMap(({ path, value }) => nestedMembers(value, path.join('/'), isMarked));
    const own = new Map(flat.map(([name, value]) => [name, value]));
    const said = given ?? looseNumber(own.get('_step'));
    const step = said !== null && Number.isSafeInteger(said) ? said : this.step + 1;
    const seconds = looseNumber(own.get('_timestamp'));
    const timeMs = seconds === null ? this.latestMs : storableMs(seconds * 1000);
    this.step = step;
    this.latestMs = Math.max(this.latestMs, timeMs);
    for (const [name, value] of flat) {
      if (name.startsWith('_')) continue;
      const number = typeof value === 'boolean' ? Number(value) : looseNumber(value);
      if (number !== null) yield* this.point(name, { step, number, timeMs });
      else if (typeof value === 'string') yield* this.text(name, { step, text: value, timeMs });
      else if (isPlainObject(value)) yield* mediaOfWandb(value, { name, step, timeMs }, filesOf(this.path));
    }
  }

  private *point(
    name: string,
    { step, number, timeMs }: { step: number; number: number; timeMs: number },
  ): Generator<SourceItem> {
    const series = this.series.get(name) ?? { steps: [], values: [], times: [] };
    this.series.set(name, series);
    this.names.add(name);
    series.steps.push(step);
    series.values.push(number);
    series.times.push(timeMs);
    if (series.steps.length < POINTS_AT_ONCE) return;
    this.series.delete(name);
    yield { type: 'points', name: name.slice(0, 500), ...series };
  }

  /** A text that is as it was is not logged again: it stands until the next one. */
  private *text(name: string, { text, ...at }: { step: number; text: string; timeMs: number }): Generator<SourceItem> {
    if (this.texts.get(name) === text) return;
    this.texts.set(name, text);
    const metadata = { text: text.slice(0, LONGEST_SHORT_TEXT) };
    const content = text.length > LONGEST_SHORT_TEXT ? Buffer.from(text) : null;
    const media = {
      ...at,
      name: name.slice(0, 500),
      kind: 'text',
      content,
      metadata,
      mediaType: 'text/plain',
    } as const;
    yield { type: 'media', media };
  }

  private takeSummary(items: readonly WandbItem[]): void {
    for (const [name, value] of items.flatMap(({ path, value: given }) =>
      nestedMembers(given, path.join('/'), isMarked),
    )) {
      const number = looseNumber(value);
      if (name.startsWith('_')) continue;
      if (number !== null) this.summary.set(name, number);
      else if (typeof value === 'string') this.summaryTexts.set(name, value);
    }
  }

  private *takeStats(timeMs: number, items: readonly WandbItem[]): Generator<SourceItem> {
    const step = this.statsRows++;
    for (const { path, value } of items) {
      const number = looseNumber(value);
      if (number === null) continue;
      yield* this.point(`system/${path.join('/')}`, { step, number, timeMs: storableMs(timeMs) });
    }
  }

  private *takeOutput({ error, timeMs, text }: Extract<WandbRecord, { type: 'output' }>): Generator<SourceItem> {
    const which = error ? 'error' : 'out';
    const parts = text.split('\n');
    parts[0] = (this.partial[which] + (parts[0] ?? '')).slice(0, LONGEST_LINE + 1);
    this.partial[which] = parts.pop() ?? '';
    if (parts.length > 0) yield lines(parts, error, timeMs);
  }

  private *rest(): Generator<SourceItem> {
    for (const which of ['out', 'error'] as const) {
      if (this.partial[which] !== '') yield lines([this.partial[which]], which === 'error', this.latestMs);
    }
    // what a program put into the summary alone stands at its end
    for (const [name, number] of this.summary) {
      if (this.names.has(name)) continue;
      yield* this.point(name, { step: Math.max(0, this.step), number, timeMs: this.latestMs });
    }
    for (const [name, text] of this.summaryTexts) {
      const newest = this.texts.get(name);
      if (newest === text) continue;
      // of two texts at a step the first is kept: one that goes over what was logged comes after it
      const step = newest === undefined ? Math.max(0, this.step) : this.step + 1;
      yield* this.text(name, { step, text, timeMs: this.latestMs });
    }
    for (const [name, series] of this.series) yield { type: 'points', name: name.slice(0, 500), ...series };
    const end = { state: 'FAILED', errorMessage: 'its file has no end: the program was killed, or goes on' } as const;
    yield { type: 'facts', facts: { endedMs: this.latestMs, ...(this.ended ? {} : end) } };
  }
}

function lines(texts: readonly string[], error: boolean, timeMs: number): SourceItem {
  return {
    type: 'lines',
    lines: texts.map((text) => ({
      text: text.replace(/\r$/, '').slice(0, LONGEST_LINE),
      level: error ? 'error' : 'info',
      time: storableMs(timeMs),
    })),
  };
}
