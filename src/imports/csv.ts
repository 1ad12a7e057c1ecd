import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { badInput } from '#src/base/contracts/errors.ts';
import type { ImportColumns } from './columnMap.ts';
import { type ForeignLines, foreignWarning, noteForeignLines } from './foreignLines.ts';
import { type Row, rowRuns } from './rowRuns.ts';
import type { SourceRuns } from './source.ts';

/** The runs of a table: comma, semicolon or tabulator between the cells, names in its first line. */
export async function* csvRuns(
  path: string,
  options: { project: string; map: ImportColumns; format?: string },
): SourceRuns {
  const warnings: string[] = [];
  const lines = readTable(path, warnings);
  const first = await lines.next();
  if (first.done === true || first.value.length < 1) throw badInput(`${path}: the table is empty`, 'source');
  const header = distinctNames(
    first.value.map((name) => name.trim()),
    path,
    warnings,
  );
  const rows = rowsOf(lines, { header, path, warnings });
  yield* rowRuns(path, { header, rows, warnings }, { format: 'csv', ...options });
}

/** Names of columns, each once: of those with the same name the later ones get a number, so that none is lost. */
function distinctNames(names: readonly string[], path: string, warnings: string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    let number = 1;
    while (taken.has(`${name}.${number}`)) number++;
    const own = `${name}.${number}`;
    taken.add(own);
    warnings.push(`${path}: there is another column "${name}": it is read as "${own}"`);
    return own;
  });
}

/** Bytes of a record: a quotation that is never closed would go to the end of the file. */
const LONGEST_RECORD = 1 << 24;

/** What separates the cells: the one of comma, semicolon and tabulator that the first line has most of. */
function delimiterOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(65_536);
    const [line = ''] = start.toString('utf8', 0, readSync(file, start)).split('\n');
    const counts = [',', ';', '\t'].map((mark) => ({ mark, count: line.split(mark).length }));
    return counts.reduce((best, one) => (one.count > best.count ? one : best)).mark;
  } finally {
    closeSync(file);
  }
}

/** The lines of a table; what cannot be read ends it, with a warning. */
async function* readTable(path: string, warnings: string[]): AsyncGenerator<string[]> {
  const foreign: ForeignLines = { first: null, count: 0 };
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(path),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_RECORD,
  });
  // what fails reaches the loop below by the parser
  pipeline(createReadStream(path), noteForeignLines(foreign), parser, () => {});
  try {
    for await (const line of parser) yield line as string[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    warnings.push(`${path}: line ${String(error.lines)} cannot be read: all before it is imported`);
  }
  const warning = foreignWarning(path, foreign);
  if (warning !== null) warnings.push(warning);
}

async function* rowsOf(
  lines: AsyncIterable<string[]>,
  { header, path, warnings }: { header: readonly string[]; path: string; warnings: string[] },
): AsyncGenerator<Row> {
  let number = 1;
  for await (const cells of lines) {
    number++;
    if (cells.length !== header.length) {
      if (warnings.length < 5) {
        const wrong = `${cells.length} cells instead of ${header.length}`;
        warnings.push(`${path}: record ${number} has ${wrong} and is left out`);
      }
      continue;
    }
    yield Object.fromEntries(header.map((name, index) => [name, cells[index]]));
  }
}
