import { type Place, filterError } from './filterError.ts';
import { comparison, membership, nullTest, pattern } from './conditions.ts';
import type { Operator, RunField, RunFilter } from './syntax.ts';
import type { Token } from './tokens.ts';
import type { Literal } from './values.ts';

const KEYWORDS = new Set(['and', 'or', 'not', 'in', 'like', 'ilike', 'is', 'null']);
const DEEPEST = 100;
const MOST_CONDITIONS = 200;
const MOST_VALUES = 1_000;

/** The field that a word, cut at its dots, means. Throws BAD_INPUT that points at the place. */
export type ResolveField = (segments: readonly string[], place: Place) => RunField;

/** Recursive descent over the tokens of one filter, each rule one method. */
export class FilterParser {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private readonly resolve: ResolveField;
  private readonly path: string;
  private index = 0;
  private depth = 0;
  private conditions = 0;

  /** `resolve`: the field that a word means. `path`: the place of the text in the input, for messages. */
  constructor(text: string, tokens: readonly Token[], { resolve, path }: { resolve: ResolveField; path: string }) {
    this.text = text;
    this.tokens = tokens;
    this.resolve = resolve;
    this.path = path;
  }

  parse(): RunFilter {
    const filter = this.disjunction();
    if (this.current().type !== 'end') throw this.unexpected('"and", "or" or the end');
    return filter;
  }

  private disjunction(): RunFilter {
    const operands = [this.conjunction()];
    while (this.takeKeyword('or')) operands.push(this.conjunction());
    return operands.length === 1 ? operands[0]! : { type: 'or', operands };
  }

  private conjunction(): RunFilter {
    const operands = [this.negation()];
    while (this.takeKeyword('and')) operands.push(this.negation());
    return operands.length === 1 ? operands[0]! : { type: 'and', operands };
  }

  private negation(): RunFilter {
    this.depth += 1;
    if (this.depth > DEEPEST) {
      throw filterError(this.place(), `more than ${DEEPEST} levels of parentheses and "not"`);
    }
    const filter = this.takeKeyword('not')
      ? ({ type: 'not', operand: this.negation() } as const)
      : this.takeSymbol('(')
        ? this.parenthesised()
        : this.condition();
    this.depth -= 1;
    return filter;
  }

  private parenthesised(): RunFilter {
    const filter = this.disjunction();
    if (!this.takeSymbol(')')) throw this.unexpected('"and", "or" or ")"');
    return filter;
  }

  private condition(): RunFilter {
    this.conditions += 1;
    if (this.conditions > MOST_CONDITIONS) {
      throw filterError(this.place(), `more than ${MOST_CONDITIONS} conditions`);
    }
    const token = this.current();
    if (token.type !== 'word' || (!token.quoted && KEYWORDS.has(token.text.toLowerCase()))) {
      throw this.unexpected('a field, such as kind or metric."test/ndcg@10", "not" or "("');
    }
    const place = this.place();
    const field = this.resolve(token.segments, place);
    this.index += 1;
    return this.test(field, token.text, place);
  }

  private test(field: RunField, name: string, place: Place): RunFilter {
    const negated = this.takeKeyword('not');
    const operatorPlace = this.place();
    if (this.takeKeyword('in')) return membership({ field, name, place }, negated, this.list());
    for (const keyword of ['like', 'ilike'] as const) {
      if (this.takeKeyword(keyword)) {
        return pattern({ field, name, place: operatorPlace }, negated, keyword === 'ilike', this.literal());
      }
    }
    if (negated) throw this.unexpected('"in", "like" or "ilike" after "not"');
    if (this.takeKeyword('is')) {
      const not = this.takeKeyword('not');
      if (!this.takeKeyword('null')) throw this.unexpected('"null" or "not null"');
      return nullTest(field, not);
    }
    const operator = this.takeOperator();
    if (operator === null) {
      throw this.unexpected(`=, !=, <, <=, >, >=, "in", "like" or "is null" after ${name}`);
    }
    return comparison({ field, name, place: operatorPlace }, operator, this.literal());
  }

  private list(): Literal[] {
    if (!this.takeSymbol('(')) throw this.unexpected('"(" and a list of values');
    const values = [this.literal()];
    while (this.takeSymbol(',')) {
      values.push(this.literal());
      if (values.length > MOST_VALUES) throw filterError(this.place(), `more than ${MOST_VALUES} values`);
    }
    if (!this.takeSymbol(')')) throw this.unexpected('"," or ")"');
    return values;
  }

  private literal(): Literal {
    const token = this.current();
    const place = this.place();
    if (token.type === 'string') {
      this.index += 1;
      return { text: token.text, quoted: true, place };
    }
    if (token.type === 'word' && !token.quoted) {
      const word = token.text.toLowerCase();
      if (word === 'null') throw filterError(place, 'write "is null" or "is not null" to ask whether there is a value');
      if (KEYWORDS.has(word)) throw this.unexpected(`a value; put quotes around "${token.text}" if it is one`);
      this.index += 1;
      return { text: token.text, quoted: false, place };
    }
    throw this.unexpected('a value: a word, a number or a text in quotes');
  }

  private takeOperator(): Operator | null {
    const token = this.current();
    if (token.type !== 'symbol') return null;
    switch (token.text) {
      case '=':
      case '==':
        this.index += 1;
        return '=';
      case '!=':
      case '<>':
        this.index += 1;
        return '!=';
      case '<':
      case '<=':
      case '>':
      case '>=':
        this.index += 1;
        return token.text;
      default:
        return null;
    }
  }

  private takeKeyword(keyword: string): boolean {
    const token = this.current();
    if (token.type !== 'word' || token.quoted || token.text.toLowerCase() !== keyword) return false;
    this.index += 1;
    return true;
  }

  private takeSymbol(symbol: string): boolean {
    const token = this.current();
    if (token.type !== 'symbol' || token.text !== symbol) return false;
    this.index += 1;
    return true;
  }

  private current(): Token {
    return this.tokens[this.index] ?? this.tokens[this.tokens.length - 1]!;
  }

  private place(): Place {
    return { path: this.path, text: this.text, position: this.current().position };
  }

  private unexpected(expected: string): Error {
    const token = this.current();
    const found = token.type === 'end' ? 'the end' : `"${token.text.slice(0, 60)}"`;
    return filterError(this.place(), `expected ${expected}, not ${found}`);
  }
}
