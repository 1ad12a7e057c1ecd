import { typedCommand } from './typedCommand.ts';

/** Something that a page shows beside others of its kind: a run, a group, a curve. */
export interface Labelled {
  /** What may tell it from the others, the most telling first: kind, dataset, parameters by their path. */
  fields: ReadonlyMap<string, unknown>;
}

export interface LabelPart {
  path: string;
  value: unknown;
}

export interface Label {
  text: string;
  /** The fields that the text names; the value is undefined where it has none. */
  parts: LabelPart[];
}

/** Their values stand alone, without a name before them. */
const BARE = ['kind', 'preset', 'dataset', 'project', 'name'];
/** More fields are named only where fewer do not tell everything apart. */
const MOST_PARTS = 6;

/**
 * Names each of the items by what tells it from the others: first by the kinds of `BARE` that differ, then, among those that
 * are alike in them, by the other fields that differ. Items whose fields are not the same never share a label. Where all
 * are alike, the bare fields name them.
 */
export function labelsOf(items: readonly Labelled[]): Label[] {
  const parts: LabelPart[][] = items.map(() => []);
  distinguish([...items.keys()], { items, parts, bare: BARE });
  const paths = new Set(parts.flat().map(({ path }) => path));
  const names = shortest(paths);
  const texts = new Map([...paths].map((path) => [path, textsOf(items.map(({ fields }) => fields.get(path)))]));
  return items.map(({ fields }, index) => {
    const named = parts[index]!;
    const shown =
      named.length > 0
        ? named
        : BARE.flatMap((path) => (fields.get(path) == null ? [] : [{ path, value: fields.get(path) }]));
    return {
      text: shown.map((part) => partText(part, { names, text: texts.get(part.path) ?? valueText })).join(' · '),
      parts: named,
    };
  });
}

interface Naming {
  items: readonly Labelled[];
  parts: LabelPart[][];
  /** Bare fields that are still to be looked at. */
  bare: readonly string[];
}

function distinguish(indexes: readonly number[], naming: Naming): void {
  const { items, parts, bare } = naming;
  if (indexes.length < 2) return;
  const [path, ...rest] = bare;
  if (path !== undefined) {
    const parted = partition(indexes, (index) => valueText(items[index]!.fields.get(path)));
    if (parted.length > 1)
      for (const index of indexes) parts[index]!.push({ path, value: items[index]!.fields.get(path) });
    for (const group of parted) distinguish(group, { ...naming, bare: rest });
    return;
  }
  for (const chosen of tellingPaths(indexes, items)) {
    for (const index of indexes) parts[index]!.push({ path: chosen, value: items[index]!.fields.get(chosen) });
  }
}

/** The fields that vary, in their order; of very many those that tell the most apart, until all are. */
function tellingPaths(indexes: readonly number[], items: readonly Labelled[]): string[] {
  const paths = [...new Set(indexes.flatMap((index) => [...items[index]!.fields.keys()]))];
  const textOf = (path: string, index: number) => valueText(items[index]!.fields.get(path));
  const varying = paths.filter(
    (path) => !BARE.includes(path) && indexes.some((index) => textOf(path, index) !== textOf(path, indexes[0]!)),
  );
  if (varying.length <= MOST_PARTS) return varying;
  const chosen: string[] = [];
  let groups: number[][] = [[...indexes]];
  for (;;) {
    const counts = varying.map((path) => ({
      path,
      groups: groups.flatMap((group) => partition(group, (index) => textOf(path, index))),
    }));
    const best = counts.reduce((most, one) => (one.groups.length > most.groups.length ? one : most));
    if (best.groups.length === groups.length) break;
    chosen.push(best.path);
    groups = best.groups;
  }
  return varying.filter((path) => chosen.includes(path));
}

function partition(indexes: readonly number[], textOf: (index: number) => string): number[][] {
  const groups = new Map<string, number[]>();
  for (const index of indexes) {
    const text = textOf(index);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [index]);
    else group.push(index);
  }
  return [...groups.values()];
}

/** The ends of paths that still name one path: `learningRate` for `parameters.optimizer.learningRate`. */
function shortest(paths: ReadonlySet<string>): ReadonlyMap<string, string> {
  const end = (path: string, segments: number) => path.split('.').slice(-segments).join('.');
  return new Map(
    [...paths].map((path) => {
      let segments = 1;
      while ([...paths].some((other) => other !== path && end(other, segments) === end(path, segments))) segments += 1;
      return [path, end(path, segments)];
    }),
  );
}

interface PartTexts {
  names: ReadonlyMap<string, string>;
  text(value: unknown): string;
}

function partText({ path, value }: LabelPart, { names, text }: PartTexts): string {
  const shown = codeText(path, value) ?? text(value);
  return BARE.includes(path) ? shown : `${names.get(path) ?? path} ${shown}`;
}

/** Significant digits that fractions are shown with: the first that keep different values different. */
const DIGITS = [4, 6, 9];

/** How the values of one field are told from each other: fractions with as few digits as that needs. */
export function textsOf(values: readonly unknown[]): (value: unknown) => string {
  const distinct = new Set(values.map(valueText)).size;
  for (const digits of DIGITS) {
    const text = (value: unknown) =>
      valueText(typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(digits)) : value);
    if (new Set(values.map(text)).size === distinct) return text;
  }
  return valueText;
}

/** Digits of a hash that are shown. */
const HASH_DIGITS = 8;

/** The code of a program by the first digits of its hash, and a command as one types it; null for every other field. */
function codeText(path: string, value: unknown): string | null {
  if (isCode(path, value)) return value.slice(0, HASH_DIGITS);
  return parameterName(path) === 'command' && Array.isArray(value) ? typedCommand(value) : null;
}

function isCode(path: string, value: unknown): value is string {
  return parameterName(path) === 'code' && typeof value === 'string' && /^[\da-f]{64}$/.test(value);
}

function parameterName(path: string): string {
  return path.replace(/^(?:config\.)?parameters\./, '');
}

/** The value of a field for programs: nothing of it is left out, as people read it otherwise. */
export function wholeValueText(path: string, value: unknown): string {
  return isCode(path, value) ? value : fieldValueText(path, value);
}

/** The value of a field as a cell under its name shows it. */
export function fieldValueText(path: string, value: unknown): string {
  return codeText(path, value) ?? valueText(value);
}

/** Different values have different texts: a text that could be read otherwise stands in quotes. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'string') return JSON.stringify(value) ?? '–';
  const isPlain = /^[\p{L}_][^\s"·]*(?: [^\s"·]+)*$/u.test(value) && !['true', 'false', 'null'].includes(value);
  return isPlain ? value : JSON.stringify(value);
}
