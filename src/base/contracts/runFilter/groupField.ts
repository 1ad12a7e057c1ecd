import { badInput } from '../errors.ts';
import { fieldHeads, resolveField } from './fields.ts';
import { filterError } from './filterError.ts';
import type { JsonField, LoggedTextField, NumberField, RunField, StateField, TagField, TextField } from './syntax.ts';
import { tokenize } from './tokens.ts';

/** What runs can be grouped by: what many runs may share. */
export type GroupField = TextField | LoggedTextField | NumberField | StateField | TagField | JsonField;

/** Fields that hardly two runs share, or that change while a run goes on. */
const UNSHARED: ReadonlySet<string> = new Set(['id', 'number', 'notes', 'error', 'duration', 'progress']);
/** No metric is a group; a direction is never asked for. */
const noDirection = () => null;

/**
 * The field that runs are grouped by: a field of the filter language, or a path of the parameters alone
 * (`optimizer.learningRate`). `configuration` is everything but the seed.
 * @param path The place of the text in the input, for messages.
 * @throws WarrenError BAD_INPUT that says what would be right.
 */
export function parseGroupField(text: string, path: string): GroupField {
  const [token, next] = tokenize(text, path);
  const place = { path, text, position: 0 };
  if (token?.type !== 'word' || next?.type !== 'end') {
    throw filterError(place, 'expected one field to group by, such as dataset or optimizer.learningRate');
  }
  const segments = isParameters(token.segments) ? ['config', ...token.segments] : token.segments;
  const field = resolveField(segments, place, noDirection);
  if (isGroupField(field)) return field;
  throw badInput(
    `${path}: runs cannot be grouped by ${text}; expected kind, preset, dataset, configuration, project, user, state, tag, sweep, seed, config.PATH, text.NAME or env.PATH`,
    path,
  );
}

/** Whether a text that `parseGroupField` takes is a path of parameters without `config.` before it. */
export function isBarePath(text: string): boolean {
  const [token] = tokenize(text, 'groupBy');
  return token?.type === 'word' && isParameters(token.segments);
}

function isParameters(segments: readonly string[]): boolean {
  const head = (segments[0] ?? '').toLowerCase();
  return !fieldHeads().has(head) || (head === 'dataset' && segments.length > 1);
}

function isGroupField(field: RunField): field is GroupField {
  if (field.type === 'metric' || field.type === 'time') return false;
  return field.type === 'loggedText' || !('name' in field && UNSHARED.has(field.name));
}
