import { filterError } from './filterError.ts';
import { type DirectionOf, type FieldsNamed, resolveField } from './fields.ts';
import { FilterParser, type ResolveField } from './filterParser.ts';
import type { RunField, RunFilter } from './syntax.ts';
import { tokenize } from './tokens.ts';

/**
 * The filter that a text spells; null for a text of blanks, which every run passes.
 *
 *     kind = overrec and (metric."test/ndcg@10" > 0.02 or best.valid/mrr >= 0.1) and not tag in (old, "to redo")
 *
 * `not` binds tighter than `and`, `and` tighter than `or`.
 * @param directionOf For `best.NAME`.
 * @param fieldsNamed For names of the runs without a field before them.
 * @throws WarrenError BAD_INPUT with path `filter` that points at the column; nothing else, whatever the text.
 */
export function parseRunFilter(text: string, directionOf: DirectionOf, fieldsNamed?: FieldsNamed): RunFilter | null {
  return parseFilter(text, 'filter', (segments, place) => resolveField(segments, place, directionOf, fieldsNamed));
}

/** As `parseRunFilter`, over fields of another kind, which `resolve` knows. `path`: where the text stands in the input. */
export function parseFilter(text: string, path: string, resolve: ResolveField): RunFilter | null {
  const tokens = tokenize(text, path);
  if (tokens.length === 1) return null;
  return new FilterParser(text, tokens, { resolve, path }).parse();
}

/**
 * The field by which runs are ordered: any field of the filter language but `tag` and `notes`.
 * @throws WarrenError BAD_INPUT with path `orderBy.by`.
 */
export function parseRunOrder(text: string, directionOf: DirectionOf, fieldsNamed?: FieldsNamed): RunField {
  const place = { path: 'orderBy.by', text, position: 0 };
  const [token, next] = tokenize(text, place.path);
  if (token?.type !== 'word')
    throw filterError(place, 'expected a field to order by, such as number or metric."test/mrr"');
  if (next?.type !== 'end') {
    throw filterError({ ...place, position: next?.position ?? 0 }, 'expected one field and nothing more');
  }
  const field = resolveField(token.segments, place, directionOf, fieldsNamed);
  if (field.type === 'tag' || (field.type === 'text' && field.name === 'notes')) {
    throw filterError(place, `runs cannot be ordered by ${token.text}`);
  }
  return field;
}
