import { isScalar, Lexer, parseDocument, Parser, visit, type YAMLMap } from 'yaml';
import { badInput } from '#src/base/contracts/errors.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';

/** Levels of lists and mappings, about: what reads them goes through them recursively. */
const DEEPEST = 64;

/**
 * The text of a sweep file, YAML or JSON, as JSON.
 * @param file its name, for messages.
 * @throws WarrenError BAD_INPUT with the place, where it cannot be read.
 */
export function parseSweepFile(text: string, file: string): Record<string, unknown> {
  if (isDeep(text)) throw badInput(`${file}: it is nested too deep; at most about ${DEEPEST} levels`, file);
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw badInput(`${file}: ${error.message.split('\n')[0]?.replace(/:$/, '')}`, file);
  visit(document, { Map: (_, map) => keepFractions(map) });
  const content: unknown = document.toJS({ maxAliasCount: 100 });
  if (!isPlainObject(content)) throw badInput(`${file}: expected a sweep file with method and parameters`, file);
  return content;
}

/** Told from its tokens, since the parser itself is recursive. */
function isDeep(text: string): boolean {
  const parser = new Parser();
  for (const token of new Lexer().lex(text)) {
    for (const _ of parser.next(token));
    if (parser.stack.length > DEEPEST) return true;
  }
  return false;
}

/** In W&B's files `0.0` to `1.0` are fractions and `0` to `1` whole numbers, which JSON cannot tell apart. */
function keepFractions(map: YAMLMap): void {
  if (map.has('distribution')) return;
  const ends = [map.get('min', true), map.get('max', true)];
  const numbers = ends.filter((end) => isScalar(end) && typeof end.value === 'number');
  if (numbers.length < 2) return;
  if (numbers.some((end) => isScalar(end) && /[.eE]/.test(end.source ?? ''))) map.set('distribution', 'uniform');
}
