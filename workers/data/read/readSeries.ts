import { badLine } from './badLine.ts';
import { BadLines } from './badLines.ts';
import { GrowableFloat64, GrowableUint32 } from './growableArray.ts';
import type { ReadOptions } from './readOptions.ts';
import { textLines } from './textLines.ts';

/** Labelled time series, of unequal lengths: series `i` is `values[offsets[i] .. offsets[i + 1])`. */
export interface LabelledSeries {
  /** (values of all series) NaN where a value inside a series is missing. */
  values: Float64Array;
  /** (series + 1) */
  offsets: Uint32Array;
  /** (series) Places in `classes`. */
  labels: Uint32Array;
  /** The labels as the file writes them, numbers by size, then text. */
  classes: readonly string[];
  /** Values inside series that are missing. */
  missing: number;
}

const MISSING = new Set(['nan', '?', '']);

function parseValue(text: string): number | null {
  const trimmed = text.trim();
  if (MISSING.has(trimmed.toLowerCase())) return Number.NaN;
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/** `1.0` and `1` are one label. */
function plainLabel(text: string): string {
  const trimmed = text.trim();
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? String(Number(trimmed)) : trimmed;
}

function numericallyFirst(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (Number.isNaN(x) || Number.isNaN(y))
    return Number.isNaN(x) === Number.isNaN(y) ? (a < b ? -1 : 1) : Number.isNaN(x) ? 1 : -1;
  return x - y;
}

interface SeriesLine {
  label: string;
  fields: string[];
}

/** `label⇥value⇥…` of `.tsv` files, `value,value,…:label` of `.ts` files; null for a line that is neither. */
function splitLine(text: string): SeriesLine | string {
  if (text.includes('\t')) {
    const [label = '', ...fields] = text.split('\t');
    return { label, fields };
  }
  const parts = text.split(':');
  if (parts.length > 2) return `${parts.length - 1} dimensions`;
  const [values = '', label] = parts;
  if (label === undefined) return 'a line without tabs and without ":label"';
  return { label, fields: values.split(',') };
}

/**
 * Reads series of the UCR archive: `.tsv`, one series per line after its label, or `.ts`, whose header lines begin with `@`
 * and which has the label after a colon. Values missing at the end of a line (`NaN`, `?`) only fill it up, as the archive
 * does for unequal lengths, and are dropped; missing ones inside stay as NaN and are counted. Throws DATA_ERROR with file
 * and lines for values that are no numbers, empty labels, series without values, several dimensions.
 */
export async function readSeries(path: string, options: ReadOptions = {}): Promise<LabelledSeries> {
  const bad = new BadLines(path, options.lenient === true);
  const values = new GrowableFloat64();
  const offsets = new GrowableUint32();
  const labels: string[] = [];
  offsets.push(0);
  let missing = 0;
  for await (const { text, line } of textLines(path, 'utf-8', options)) {
    if (text?.startsWith('@') || text?.startsWith('#')) continue;
    const split = text === null ? 'bytes that are no UTF-8' : splitLine(text);
    const problem = typeof split === 'string' ? split : takeIn(split);
    if (problem !== null)
      bad.add(line, problem, 'a label and the values of one series, separated by tabs or as in .ts');
  }
  bad.refuseIfAny();
  if (labels.length === 0) throw badLine(path, 1, 'no series', 'one series per line');
  const classes = [...new Set(labels)].sort(numericallyFirst);
  const places = new Map(classes.map((label, place) => [label, place]));
  return {
    values: values.view(),
    offsets: offsets.view(),
    labels: Uint32Array.from(labels, (label) => places.get(label)!),
    classes,
    missing,
  };

  function takeIn({ label, fields }: SeriesLine): string | null {
    const name = plainLabel(label);
    if (name === '' || MISSING.has(name.toLowerCase())) return `the label ${JSON.stringify(label)}`;
    const parsed = fields.map(parseValue);
    const wrong = parsed.indexOf(null);
    if (wrong !== -1) return `${JSON.stringify(fields[wrong]!.slice(0, 40))} as value ${wrong + 1}`;
    while (parsed.length > 0 && Number.isNaN(parsed.at(-1))) parsed.pop();
    if (parsed.length === 0) return 'a series without values';
    for (const value of parsed) {
      if (Number.isNaN(value)) missing++;
      values.push(value!);
    }
    offsets.push(values.length);
    labels.push(name);
    return null;
  }
}
