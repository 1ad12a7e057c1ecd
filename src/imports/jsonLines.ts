import { readFile, stat } from 'node:fs/promises';
import { badInput } from '#src/base/contracts/errors.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import type { ImportColumns } from './columnMap.ts';
import { parseLooseJson } from './looseNumbers.ts';
import { nestedMembers } from './nestedMembers.ts';
import { type Row, rowRuns } from './rowRuns.ts';
import type { SourceRuns } from './source.ts';
import { textLines } from './textLines.ts';

/** Characters of a line, and bytes of an array: a longer text than the second is none that can be read. */
const LONGEST_LINE = 1 << 26;
const LARGEST_ARRAY_MIB = 400;

/** The runs in JSON lines, one object a line, or in one array of objects. Members of objects are named `outer/inner`. */
export async function* jsonLineRuns(
  path: string,
  options: { project: string; map: ImportColumns; format?: string },
): SourceRuns {
  const header = new Set<string>();
  let identity: string[] | null = null;
  // its names first: they stand in every line anew
  for await (const row of rowsOf(path, [])) {
    const names = Object.keys(row);
    // the members of the first object alone, so that a file that grows keeps its runs
    identity ??= names;
    for (const name of names) header.add(name);
  }
  if (identity === null) throw badInput(`${path}: no JSON objects, one a line, in it`, 'source');
  const warnings: string[] = [];
  const source = { header: [...header], rows: rowsOf(path, warnings), warnings, identity };
  yield* rowRuns(path, source, { format: 'jsonl', ...options });
}

/** @throws WarrenError BAD_INPUT for an array that is too large to be read whole. */
async function* rowsOf(path: string, warnings: string[]): AsyncGenerator<Row> {
  for await (const object of objectsOf(path, warnings)) yield Object.fromEntries(nestedMembers(object));
}

async function* objectsOf(path: string, warnings: string[]): AsyncGenerator<Record<string, unknown>> {
  let number = 0;
  let wrong = 0;
  for (const line of textLines(path, LONGEST_LINE)) {
    number++;
    if (line.trim() === '') continue;
    if (number === 1 && line.trimStart().startsWith('[')) {
      yield* arrayOf(path, warnings);
      return;
    }
    const value = parsed(line);
    if (isPlainObject(value)) yield value;
    else if (wrong++ < 5) warnings.push(`${path}: line ${number} is no JSON object and is left out`);
  }
}

async function* arrayOf(path: string, warnings: string[]): AsyncGenerator<Record<string, unknown>> {
  if ((await stat(path)).size > LARGEST_ARRAY_MIB * 2 ** 20) {
    throw badInput(`${path}: an array of more than ${LARGEST_ARRAY_MIB} MiB: write one object a line`, 'source');
  }
  const value = parsed(await readFile(path, 'utf8'));
  if (Array.isArray(value)) yield* value.filter(isPlainObject);
  else warnings.push(`${path}: the array is not whole: nothing of it can be read`);
}

function parsed(text: string): unknown {
  try {
    return parseLooseJson(text);
  } catch {
    return undefined;
  }
}
