import { resolveField } from '#src/base/contracts/runFilter/fields.ts';
import type { RunField } from '#src/base/contracts/runFilter/syntax.ts';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import { filterPieces, type Piece } from './filterPieces.ts';

/** What may stand at a place of a filter. */
export type Expected = 'field' | 'operator' | 'null' | 'listStart' | 'value' | 'listValue' | 'listNext' | 'next';

/** Where a filter is being written, and what has been written there. */
export interface CompletionPlace {
  expected: Expected;
  /** The field to which an operator or a value belongs, as it is written. */
  field: string;
  /** What is typed, to be replaced from `from` to `to`. */
  typed: string;
  from: number;
  to: number;
  /** Parentheses that are open. */
  depth: number;
}

export interface CompletionOption {
  text: string;
  hint: string;
}

/** What can be named in a filter. */
export interface KnownNames {
  /** Paths of the configuration, those that differ first. */
  paths: readonly string[];
  metrics: readonly string[];
  /** Names under which texts were logged. */
  texts: readonly string[];
}

/** What stands at the caret of a filter, however unfinished the filter is. */
export function completionPlace(text: string, caret: number): CompletionPlace {
  const before = filterPieces(text.slice(0, caret));
  const last = before.at(-1);
  const isTyped = last !== undefined && last.end === caret && (last.kind === 'word' || last.isOpen);
  const finished = isTyped ? before.slice(0, -1) : before;
  const from = isTyped ? last.start : caret;
  const whole = filterPieces(text).find(({ start, end }) => start === from && end >= caret);
  const to = isTyped && whole !== undefined && whole.kind === last.kind ? whole.end : caret;
  return { ...readStand(finished), typed: isTyped ? last.text : '', from, to };
}

function readStand(pieces: readonly Piece[]): Pick<CompletionPlace, 'expected' | 'field' | 'depth'> {
  let expected: Expected = 'field';
  let field = '';
  let depth = 0;
  for (const { kind, text } of pieces) {
    const word = kind === 'word' ? text.toLowerCase() : '';
    if (expected === 'field') {
      if (text === '(') depth++;
      else if (word !== 'not') {
        field = text;
        expected = 'operator';
      }
    } else if (expected === 'operator') expected = afterOperator(word, kind);
    else if (expected === 'null') expected = word === 'not' ? 'null' : 'next';
    else if (expected === 'listStart') expected = 'listValue';
    else if (expected === 'listValue') expected = 'listNext';
    else if (expected === 'listNext') expected = text === ',' ? 'listValue' : 'next';
    else if (expected === 'value') expected = 'next';
    else if (text === ')') depth = Math.max(0, depth - 1);
    else if (word === 'and' || word === 'or') expected = 'field';
  }
  return { expected, field, depth };
}

function afterOperator(word: string, kind: Piece['kind']): Expected {
  if (word === 'not') return 'operator';
  if (word === 'in') return 'listStart';
  if (word === 'is') return 'null';
  return kind === 'symbol' || word === 'like' || word === 'ilike' ? 'value' : 'next';
}

/** Fields that every run has, those that are asked for most first. */
const FIELDS: readonly (readonly [field: string, hint: string])[] = [
  ...([
    ['state', 'how far it is'],
    ['kind', 'what was run'],
    ['dataset', 'on what data'],
    ['tag', 'has a tag'],
  ] as const),
  ...([
    ['user', 'who made it'],
    ['name', 'its name'],
    ['seed', 'its seed'],
    ['created', 'when it was made'],
  ] as const),
  ...([
    ['started', 'when it began'],
    ['ended', 'when it ended'],
    ['duration', 'in seconds'],
    ['number', 'its number'],
  ] as const),
  ...([
    ['preset', 'from which it was filled'],
    ['project', 'its project'],
    ['sweep', 'number of its sweep'],
  ] as const),
  ...([
    ['trial', 'of its sweep'],
    ['progress', 'from 0 to 1'],
    ['notes', 'what people wrote'],
    ['worker', 'who executes it'],
  ] as const),
  ...([
    ['error', 'why it failed'],
    ['errorCode', 'such as OUT_OF_MEMORY'],
    ['priority', '1 is taken first'],
  ] as const),
  ...([
    ['attempt', 'how often it was tried'],
    ['configuration', 'hash of all but the seed'],
  ] as const),
];
const OPERATORS: Readonly<Record<string, string>> = {
  ...{ '=': 'is', '!=': 'is not', '<': 'below', '<=': 'at most', '>': 'above', '>=': 'at least' },
  ...{ in: 'one of: (a, b)', 'not in': 'none of', like: 'text with % for anything', ilike: 'the same, any case' },
  ...{ 'is null': 'has none', 'is not null': 'has one' },
};
const TIMES: Readonly<Record<string, string>> = {
  '-1h': 'an hour ago',
  '-1d': 'a day',
  '-7d': 'a week',
  '-30d': 'a month',
};

/** The field of a value that is to be completed from what runs have there; null where nothing is looked up. */
export function lookedUpField({ expected, field }: CompletionPlace): string | null {
  if (expected !== 'value' && expected !== 'listValue' && expected !== 'listStart') return null;
  const type = fieldOf(field)?.type;
  return type === 'text' ||
    type === 'loggedText' ||
    type === 'tag' ||
    type === 'json' ||
    field === 'seed' ||
    field === 'sweep'
    ? field
    : null;
}

const MOST_OPTIONS = 40;

/** What may stand at the place and has what was typed in it, the likeliest first. @param values What runs have in the field. */
export function completionOptions(
  place: CompletionPlace,
  known: KnownNames,
  values: readonly unknown[] = [],
): CompletionOption[] {
  const typed = plain(place.typed);
  const ranked = candidates(place, known, values).flatMap((option) => {
    const rank = rankOf(plain(option.text), typed);
    return rank === null || option.text === place.typed ? [] : [{ option, rank }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_OPTIONS)
    .map(({ option }) => option);
}

function candidates(place: CompletionPlace, known: KnownNames, values: readonly unknown[]): CompletionOption[] {
  const { expected, field, depth } = place;
  switch (expected) {
    case 'field':
      return fieldOptions(place.typed, known);
    case 'operator':
      return operatorsOf(fieldOf(field)).map((text) => ({ text, hint: OPERATORS[text] ?? '' }));
    case 'null':
      return ['null', 'not null'].map((text) => ({ text, hint: OPERATORS[`is ${text}`] ?? '' }));
    case 'listStart':
      return valueOptions(field, values).map(({ text, hint }) => ({ text: `(${text}`, hint }));
    case 'value':
    case 'listValue':
      return valueOptions(field, values);
    case 'listNext':
      return [',', ')'].map((text) => ({ text, hint: text === ',' ? 'one more' : 'end of the list' }));
    case 'next':
      return [
        { text: 'and', hint: 'both' },
        { text: 'or', hint: 'one of them' },
        ...(depth > 0 ? [{ text: ')', hint: '' }] : []),
      ];
  }
}

function fieldOptions(typed: string, { paths, metrics, texts }: KnownNames): CompletionOption[] {
  const head = /^(best|min|max)\./i.exec(typed)?.[1]?.toLowerCase();
  const summary = { best: 'best value', min: 'smallest value', max: 'greatest value' }[head ?? ''] ?? 'last value';
  return [
    ...FIELDS.map(([text, hint]) => ({ text, hint })),
    ...paths.map((path) => ({ text: `config.${path.replace(/^parameters\./, '')}`, hint: 'parameter' })),
    ...metrics.map((name) => ({ text: `${head ?? 'metric'}.${quoted(name)}`, hint: summary })),
    ...texts.map((name) => ({
      text: `text.${/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)}`,
      hint: 'newest text',
    })),
  ];
}

function operatorsOf(field: RunField | null): string[] {
  const [equal, ordered] = [
    ['=', '!='],
    ['<', '<=', '>', '>='],
  ];
  const nulls = ['is null', 'is not null'];
  switch (field?.type) {
    case 'state':
      return [...equal, 'in', 'not in'];
    case 'tag':
      return [...equal, 'in', 'not in', 'like', ...nulls];
    case 'text':
    case 'loggedText':
      return [...equal, 'like', 'ilike', 'in', 'not in', ...nulls];
    case 'number':
    case 'metric':
      return ['>', '>=', '<', '<=', ...equal, 'in', ...nulls];
    case 'time':
      return [...ordered.toReversed(), ...nulls];
    default:
      return Object.keys(OPERATORS);
  }
}

function valueOptions(field: string, values: readonly unknown[]): CompletionOption[] {
  const { type } = fieldOf(field) ?? {};
  if (type === 'state') return RUN_STATES.map((text) => ({ text, hint: '' }));
  if (type === 'time') return Object.entries(TIMES).map(([text, hint]) => ({ text, hint }));
  return values.flatMap((value) => {
    if (typeof value === 'string') return [{ text: asValue(value), hint: '' }];
    return typeof value === 'number' || typeof value === 'boolean' ? [{ text: String(value), hint: '' }] : [];
  });
}

/** The field that a name stands for; null for one that the filter language does not know. */
function fieldOf(name: string): RunField | null {
  const segments = filterPieces(name)[0]?.segments ?? [];
  try {
    return resolveField(segments, { path: 'filter', text: name, position: 0 }, () => 'higher');
  } catch {
    return null;
  }
}

/** 0: begins so; 1: a part of it begins so; 2: has it somewhere; null: has it not. */
function rankOf(text: string, typed: string): number | null {
  if (text.startsWith(typed)) return 0;
  const at = text.indexOf(typed);
  if (at === -1) return null;
  return /[./_@ -]/.test(text[at - 1] ?? '') ? 1 : 2;
}

const plain = (text: string) => text.toLowerCase().replaceAll(/["'(]/g, '');
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A text as a value: bare where it is one word that is no number and no word of the language. */
function asValue(text: string): string {
  const isBare =
    /^[\w./@:%-]+$/.test(text) && !/^[-\d.]/.test(text) && !/^(and|or|not|in|i?like|is|null|true|false)$/i.test(text);
  return isBare ? text : quoted(text);
}
