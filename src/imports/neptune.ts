import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { columnNumber } from './columnNumber.ts';
import { importId, type RunFacts, type SourceItem, type SourceRuns, storableMs } from './source.ts';
import { WaitingItems } from './waitingItems.ts';

// The columns that neptune-exporter's README lists under "Parquet schema".

const number = columnNumber.nullish();
const date = z.union([z.date(), number]).nullish();
const rowSchema = z.object({
  project_id: z.string(),
  run_id: z.string(),
  attribute_path: z.string(),
  attribute_type: z.string(),
  step: number,
  timestamp: date,
  int_value: number,
  float_value: number,
  string_value: z.string().nullish(),
  bool_value: z.boolean().nullish(),
  datetime_value: date,
  string_set_value: z.array(z.string()).nullish(),
});
type NeptuneRow = z.infer<typeof rowSchema>;

/** Rows that are read at once. */
const BLOCK_ROWS = 20_000;

interface Collected {
  key: string;
  facts: RunFacts;
  /** Names of its series of texts. */
  texts: Set<string>;
  warnings: Map<string, number>;
}

interface Found {
  runs: Map<string, Collected>;
  items: WaitingItems;
}

function parquetFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .flatMap((entry) => {
      const inside = join(path, entry.name);
      if (entry.isDirectory()) return parquetFiles(inside);
      return entry.name.endsWith('.parquet') ? [inside] : [];
    })
    .sort();
}

/**
 * The runs of Neptune that neptune-exporter wrote as Parquet files: series, parameters, tags, texts.
 * @throws WarrenError BAD_INPUT when there are none.
 */
export async function* neptuneRuns(source: string, { project }: { project: string }): SourceRuns {
  if (!existsSync(source)) throw badInput(`${source}: there is no such file or folder`, 'source');
  const files = parquetFiles(source);
  if (files.length === 0) throw badInput(`${source}: there is no .parquet file in it or below`, 'source');
  const found: Found = { runs: new Map(), items: new WaitingItems() };
  const { runs, items } = found;
  const torn: string[] = [];
  for (const path of files) {
    const read = { rows: 0 };
    try {
      await readParquet(path, found, read);
    } catch (error) {
      const why = error instanceof z.ZodError ? 'its columns are others' : coerceError(error).message.split('\n')[0];
      const what = read.rows === 0 ? 'and is left out' : `behind row ${read.rows}, all before it is imported`;
      torn.push(`${path}: it cannot be read ${what}: ${why}`);
    }
  }
  if (runs.size === 0) throw badInput(torn[0] ?? `${source}: there is no run of Neptune's in it`, 'source');
  for (const [key, { facts, texts, warnings }] of [...runs].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const label = key.slice(key.indexOf('\n') + 1);
    yield {
      id: importId('neptune', project, key),
      label,
      facts,
      *read(): Generator<SourceItem> {
        for (const text of torn.splice(0)) yield { type: 'warning', text };
        yield* items.take(key, (name, text) => (texts.size > 1 ? `${name}: ${text}` : text));
        for (const [what, count] of warnings) {
          yield { type: 'warning', text: `${label}: ${count} values of type ${what} are left out` };
        }
      },
    };
  }
}

async function readParquet(path: string, found: Found, read: { rows: number }): Promise<void> {
  const descriptor = openSync(path, 'r');
  try {
    const file = slicesOf(descriptor);
    const metadata = await parquetMetadataAsync(file);
    for (const [start, end] of blocksOf(metadata)) {
      takeRows(await readBlock({ file, metadata, rowStart: start, rowEnd: end }), basename(path), found);
      read.rows = end;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** First row, and the one behind the last, of blocks none of which lies in two groups. */
function* blocksOf(metadata: FileMetaData): Generator<[number, number]> {
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    for (; start < end; start = Math.min(start + BLOCK_ROWS, end)) yield [start, Math.min(start + BLOCK_ROWS, end)];
  }
}

/** What hyparquet asks of a file, read when it is asked for. */
function slicesOf(descriptor: number): AsyncBuffer {
  const byteLength = fstatSync(descriptor).size;
  const slice = (start: number, end = byteLength) => {
    if (start < 0 || end < start || end > byteLength) throw new RangeError('the file has no such part');
    const part = new Uint8Array(end - start);
    for (let read = 0; read < part.length; ) {
      const more = readSync(descriptor, part, read, part.length - read, start + read);
      if (more === 0) throw new RangeError('the file ends too early');
      read += more;
    }
    return part.buffer;
  };
  return { byteLength, slice };
}

interface BlockPlace {
  file: AsyncBuffer;
  metadata: FileMetaData;
  rowStart: number;
  rowEnd: number;
}

const KEYS = ['project_id', 'run_id', 'attribute_path', 'attribute_type'];
const SERIES = ['step', 'timestamp', 'float_value', 'string_value'];
const OTHERS = Object.keys(rowSchema.shape).filter((name) => !KEYS.includes(name) && !SERIES.includes(name));

async function readBlock(place: BlockPlace): Promise<NeptuneRow[]> {
  const rows: Record<string, unknown>[] = Array.from({ length: place.rowEnd - place.rowStart }, () => ({}));
  // a column and a block at a time: of several that are damaged the library leaves a rejection that nobody hears
  const readColumns = async (columns: readonly string[]) => {
    for (const column of columns) {
      const values = await parquetReadObjects({ ...place, compressors, columns: [column] });
      for (const [index, row] of rows.entries()) row[column] = values[index]?.[column];
    }
  };
  await readColumns([...KEYS, ...SERIES]);
  const isSeries = ({ attribute_type: type }: Record<string, unknown>) => String(type).endsWith('_series');
  // lists are unpacked from the start of their group each time
  if (!rows.every(isSeries)) await readColumns(OTHERS);
  return z.array(rowSchema).parse(rows);
}

function takeRows(rows: readonly NeptuneRow[], file: string, { runs, items }: Found): void {
  for (const row of rows) {
    const key = `${row.project_id}\n${row.run_id}`;
    const run = runs.get(key) ?? newRun(key, row, file);
    runs.set(key, run);
    take(run, row, items);
  }
}

function newRun(key: string, { project_id, run_id }: NeptuneRow, file: string): Collected {
  const environment = { import: { format: 'neptune', run: run_id, project: project_id, file } };
  const facts: RunFacts = { name: run_id, parameters: {}, environment };
  return { key, facts, texts: new Set(), warnings: new Map() };
}

const ms = (time: Date | number | null | undefined): number => (time == null ? 0 : storableMs(Number(time)));

function take(run: Collected, row: NeptuneRow, items: WaitingItems): void {
  const { attribute_path: path, attribute_type: type } = row;
  if (type === 'float_series') takePoint(run, row, items);
  else if (type === 'string_series') {
    run.texts.add(path);
    items.line(run.key, path, { text: (row.string_value ?? '').slice(0, 100_000), time: ms(row.timestamp) });
  } else if (path.startsWith('sys/')) takeSystem(run.facts, row);
  else if (['float', 'int', 'string', 'bool', 'datetime', 'string_set'].includes(type)) {
    Object.defineProperty(run.facts.parameters ?? {}, path, {
      value: parameterValue(row),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else run.warnings.set(type, (run.warnings.get(type) ?? 0) + 1);
}

function takePoint(run: Collected, row: NeptuneRow, items: WaitingItems): void {
  const { step, float_value: value } = row;
  if (value == null) return;
  // steps are decimals there: others than whole ones have no place here
  if (step == null || !Number.isInteger(step)) {
    run.warnings.set('float_series with a broken step', (run.warnings.get('float_series with a broken step') ?? 0) + 1);
    return;
  }
  items.point(run.key, row.attribute_path.slice(0, 500), [step, value, ms(row.timestamp)]);
}

function parameterValue(row: NeptuneRow): unknown {
  if (row.attribute_type === 'datetime') return new Date(ms(row.datetime_value)).toISOString();
  const value = row.float_value ?? row.int_value ?? row.string_value ?? row.bool_value ?? row.string_set_value ?? null;
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** What Neptune itself says of a run. */
function takeSystem(facts: RunFacts, row: NeptuneRow): void {
  const name = row.attribute_path.slice(4);
  if (name === 'name' && row.string_value) facts.name = row.string_value;
  else if (name === 'owner' && row.string_value) facts.user = row.string_value;
  else if (name === 'description' && row.string_value) facts.notes = row.string_value;
  else if ((name === 'tags' || name === 'group_tags') && row.string_set_value) {
    facts.tags = [...(facts.tags ?? []), ...row.string_set_value];
  } else if (name === 'creation_time' && row.datetime_value != null) facts.startedMs = ms(row.datetime_value);
  else if (name === 'modification_time' && row.datetime_value != null) facts.endedMs = ms(row.datetime_value);
  else if (name === 'failed' && row.bool_value === true) facts.state = 'FAILED';
}
