import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import { type ImportColumns, resolveColumns } from './columnMap.ts';
import { looseNumber, looseParameter, looseTimeMs } from './looseNumbers.ts';
import { importId, type RunFacts, type SourceItem, type SourceRun, storableMs } from './source.ts';
import { WaitingItems } from './waitingItems.ts';

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** What a file of rows holds. */
export interface Rows {
  header: readonly string[];
  /** By which the file is known; the header unless given. */
  identity?: readonly string[];
  rows: AsyncIterable<Row>;
  /** What was wrong with the file; filled while it is read. */
  warnings: string[];
}

interface Collected {
  key: string;
  name: string;
  facts: RunFacts;
  rows: number;
}

/**
 * The runs in a file of rows. A run is known by the place of the file, its header, its first row and the run's own name, so
 * that a file that has grown adds to the same runs.
 * @throws WarrenError BAD_INPUT for columns that are not there, and when nothing in the file is a number.
 */
export async function* rowRuns(
  path: string,
  { header, rows, warnings, identity = header }: Rows,
  { project, format, map }: { project: string; format: string; map: ImportColumns },
): AsyncGenerator<SourceRun> {
  const columns = resolveColumns(map, header, path);
  const collector = new RowCollector(columns, header, statSync(path).mtimeMs, basename(path).replace(/\.\w+$/, ''));
  let first = '';
  for await (const row of rows) {
    if (first === '') first = JSON.stringify(row);
    collector.take(row);
  }
  const { items } = collector;
  const runs = [...collector.runs];
  if (!collector.hasNumbers) {
    const advice = '--map says what its columns are';
    throw badInput(`${path}: no column of numbers beside run, step and time: ${advice}`, 'source');
  }
  const all = [...warnings, ...collector.warnings(path)];
  for (const [index, [key, { name, facts }]] of runs.entries()) {
    yield {
      id: importId(format, project, resolve(path), identity.join('\t'), first, key),
      label: name,
      facts: { ...facts, environment: { import: { format, file: basename(path), run: name } } },
      *read(): Generator<SourceItem> {
        if (index === 0) for (const text of all) yield { type: 'warning', text };
        yield* items.take(key, (_, text) => text);
      },
    };
  }
}

class RowCollector {
  readonly runs = new Map<string, Collected>();
  readonly items = new WaitingItems();
  hasNumbers = false;
  private readonly metrics: readonly string[];
  /** Cells of columns that are neither numbers nor empty, by column. */
  private readonly texts = new Map<string, number>();
  private withoutStep = 0;

  constructor(
    private readonly columns: ImportColumns,
    header: readonly string[],
    private readonly fileMs: number,
    private readonly fileName: string,
  ) {
    const { run, step, time, metric, value, parameter, ignore } = columns;
    const others = new Set([run, step, time, metric, value, ...parameter, ...ignore]);
    this.metrics = value === undefined ? header.filter((column) => !others.has(column)) : [];
  }

  take(row: Row): void {
    const { columns } = this;
    const key = columns.run === undefined ? '' : String(row[columns.run] ?? '');
    const run = this.runOf(key);
    const stepGiven = columns.step === undefined ? run.rows : looseNumber(row[columns.step]);
    run.rows++;
    if (stepGiven === null || !Number.isInteger(stepGiven) || Math.abs(stepGiven) > 2 ** 53) {
      this.withoutStep++;
      return;
    }
    const timeMs = columns.time === undefined ? null : looseTimeMs(row[columns.time]);
    const { facts } = run;
    if (timeMs !== null) {
      facts.startedMs = Math.min(facts.startedMs ?? timeMs, timeMs);
      facts.endedMs = Math.max(facts.endedMs ?? timeMs, timeMs);
    }
    for (const name of columns.parameter) {
      const cell = row[name];
      if (cell === undefined || cell === null || cell === '') continue;
      facts.parameters = { ...facts.parameters, [name]: typeof cell === 'string' ? looseParameter(cell) : cell };
    }
    const at = { step: stepGiven, timeMs: storableMs(timeMs ?? this.fileMs) };
    if (columns.metric !== undefined && columns.value !== undefined) {
      this.point(run, String(row[columns.metric] ?? ''), row[columns.value], at);
    } else for (const name of this.metrics) this.point(run, name, row[name], at);
  }

  private runOf(key: string): Collected {
    const known = this.runs.get(key);
    if (known !== undefined) return known;
    const facts: RunFacts = this.columns.time === undefined ? { startedMs: this.fileMs, endedMs: this.fileMs } : {};
    const run: Collected = { key, name: key === '' ? this.fileName : key, facts, rows: 0 };
    this.runs.set(key, run);
    return run;
  }

  private point(run: Collected, name: string, cell: unknown, at: { step: number; timeMs: number }): void {
    if (cell === undefined || cell === null || cell === '' || name === '') return;
    const value = looseNumber(cell);
    if (value === null) {
      this.texts.set(name, (this.texts.get(name) ?? 0) + 1);
      return;
    }
    this.hasNumbers = true;
    this.items.point(run.key, name, [at.step, value, at.timeMs]);
  }

  warnings(path: string): string[] {
    const texts = [...this.texts].map(([name, count]) => `${name} (${count})`).join(', ');
    return [
      ...(texts === '' ? [] : [`${path}: cells that are no numbers are left out: ${texts}`]),
      ...(this.withoutStep === 0 ? [] : [`${path}: ${this.withoutStep} rows without a whole step are left out`]),
    ];
  }
}
