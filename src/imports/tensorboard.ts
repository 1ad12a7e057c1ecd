import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import { RecordFile } from './eventFile.ts';
import { MalformedMessage } from './protobuf.ts';
import { importId, type RunFacts, type SourceItem, type SourceRun, storableMs } from './source.ts';
import { readEvent, readHyperparameters, type SummaryEvent, type SummaryValue } from './tensorboardEvents.ts';
import { mediaOf } from './tensorboardMedia.ts';

/** Points of a metric that are handed on together. */
const POINTS_AT_ONCE = 4_096;

/** Reading a pipe would wait for somebody who writes to it. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Bytes of a first record that go into the id of its run as they are. */
const SHORT_RECORD = 1 << 20;

/** Folders below `source` with event files, and their files in the order in which they were begun. */
function eventFolders(source: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const visit = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inside = join(path, entry.name);
      if (entry.isDirectory()) visit(inside);
      else if (entry.name.includes('tfevents') && isFile(inside))
        found.set(path, [...(found.get(path) ?? []), inside].sort());
    }
  };
  if (statSync(source).isDirectory()) visit(source);
  else found.set(dirname(source), [source]);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The runs below a folder of TensorBoard's: each folder with event files is one. A run is known by the name and the first
 * record of its first file, wherever the folder lies.
 * @param known The runs that were given before, by folder, to which those that are new are added.
 * @throws WarrenError BAD_INPUT when there are none.
 */
export async function* tensorboardRuns(
  path: string,
  { project, known = new Map() }: { project: string; known?: Map<string, TensorboardRun> },
): AsyncGenerator<SourceRun> {
  const source = resolve(path);
  const folders = eventFolders(source);
  if (folders.size === 0) throw badInput(`${path}: no event files of TensorBoard (…tfevents…) in it or below`);
  for (const [folder, files] of folders) {
    const place = relative(source, folder);
    const name = statSync(source).isDirectory() ? place || basename(source) : basename(folder);
    const run = known.get(folder) ?? new TensorboardRun(name, project);
    run.addFiles(files);
    if (run.id === '') continue;
    known.set(folder, run);
    yield run;
  }
}

interface Series {
  steps: number[];
  values: number[];
  times: number[];
}

/** One folder of event files. */
export class TensorboardRun implements SourceRun {
  id = '';
  readonly facts: RunFacts = {};
  private readonly files: RecordFile[] = [];
  private readonly plugins = new Map<string, string>();
  private readonly buffers = new Map<string, Series>();
  private latestMs = 0;

  constructor(
    readonly label: string,
    private readonly project: string,
  ) {}

  /** Takes files that are new; without a whole first record nothing is known yet. */
  addFiles(paths: readonly string[]): void {
    for (const path of paths) {
      if (this.files.some((file) => file.path === path)) continue;
      this.files.push(new RecordFile(path));
    }
    const [first] = this.files;
    if (this.id !== '' || first === undefined) return;
    for (const record of new RecordFile(first.path).read()) {
      const name = basename(first.path);
      const isShort = record.length <= SHORT_RECORD;
      const said = isShort ? Buffer.from(record) : createHash('sha256').update(record).digest();
      this.id = importId('tensorboard', this.project, name, said.toString('base64'));
      this.facts.environment = { import: { format: 'tensorboard', run: this.label, file: name } };
      break;
    }
  }

  *read(): Generator<SourceItem> {
    const items: SourceItem[] = [];
    for (const file of this.files) {
      for (const record of file.read()) {
        this.take(record, file.path, items);
        if (items.length > 0) yield* items.splice(0);
      }
      if (file.tear === null) continue;
      const { at, why } = file.tear;
      yield { type: 'warning', text: `${file.path}: ${why}, at byte ${at}: all before it is imported` };
    }
    for (const [name, series] of this.buffers) if (series.steps.length > 0) yield this.flush(name, series);
    yield { type: 'facts', facts: { endedMs: this.latestMs } };
  }

  private flush(name: string, series: Series): SourceItem {
    this.buffers.delete(name);
    return { type: 'points', name, ...series };
  }

  /** Reads a record into `items`; points wait until there are many of a metric. */
  private take(record: Uint8Array, path: string, items: SourceItem[]): void {
    let event: SummaryEvent;
    try {
      event = readEvent(record);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      items.push({ type: 'warning', text: `${path}: an event that cannot be read is left out: ${error.message}` });
      return;
    }
    const timeMs = storableMs(event.wallTime * 1000);
    if (this.latestMs === 0) items.push({ type: 'facts', facts: { startedMs: timeMs } });
    this.latestMs = Math.max(this.latestMs, timeMs);
    for (const value of event.values) this.takeValue(value, { step: event.step, timeMs }, items);
  }

  private takeValue(value: SummaryValue, at: { step: number; timeMs: number }, items: SourceItem[]): void {
    const { tag } = value;
    if (value.plugin !== '') this.plugins.set(tag, value.plugin);
    if (value.tooLarge) {
      items.push({
        type: 'warning',
        text: `${this.label}: "${tag}" at step ${at.step} has too many values and is left out`,
      });
      return;
    }
    const plugin = value.number === null ? (this.plugins.get(tag) ?? '') : '';
    const number = value.number ?? scalarOf(value, plugin);
    if (plugin === 'hparams' && value.pluginContent !== null) {
      items.push(...hyperparameters(value.pluginContent));
    } else if (tag === '' || Math.abs(at.step) > 2 ** 53) {
      items.push({ type: 'warning', text: `${this.label}: a value of "${tag}" at step ${at.step} is left out` });
    } else if (number !== null) {
      this.takePoint(tag.slice(0, 500), number, at, items);
    } else if (at.step >= 0) {
      items.push(...mediaOf(value, plugin, at).map((media): SourceItem => ({ type: 'media', media })));
    }
  }

  private takePoint(name: string, value: number, at: { step: number; timeMs: number }, items: SourceItem[]): void {
    let series = this.buffers.get(name);
    if (series === undefined) {
      series = { steps: [], values: [], times: [] };
      this.buffers.set(name, series);
    }
    series.steps.push(at.step);
    series.values.push(value);
    series.times.push(at.timeMs);
    if (series.steps.length >= POINTS_AT_ONCE) items.push(this.flush(name, series));
  }
}

/** The number in a tensor: of the plugin for numbers, or of none. */
function scalarOf({ tensor }: SummaryValue, plugin: string): number | null {
  if (tensor === null || tensor.numbers.length !== 1) return null;
  return plugin === 'scalars' || plugin === '' ? tensor.numbers[0]! : null;
}

function hyperparameters(content: Uint8Array): SourceItem[] {
  const { parameters, status } = readHyperparameters(content);
  return [{ type: 'facts', facts: { parameters, ...(status === null ? {} : { state: status }) } }];
}
