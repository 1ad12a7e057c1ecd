import { assertNever } from '#src/base/lib/assertNever.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { parseFilter } from '#src/base/contracts/runFilter/parse.ts';
import type { JsonScalar, Operator, RunField, RunFilter } from '#src/base/contracts/runFilter/syntax.ts';
import { isMissing } from './missingValue.ts';
import { plainName } from './tableColumns.ts';

/** A condition on the rows of a file. */
export interface RowCondition {
  /** `textOf` gives the text of a column, by its place in the names. */
  isMet(textOf: (column: number) => string): boolean;
}

type Value = string | null;

function compare(value: Value, operator: Operator, wanted: JsonScalar): boolean {
  if (value === null) return false;
  const [a, b] = typeof wanted === 'number' ? [Number(value), wanted] : [value, String(wanted)];
  switch (operator) {
    case '=':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      return assertNever(operator);
  }
}

/** `%` any text, `_` any character, `\` takes the next as it is. */
function patternOf(pattern: string, caseless: boolean): RegExp {
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    if (character === '%') source += '.*';
    else if (character === '_') source += '.';
    else source += (character === '\\' ? (pattern[++at] ?? '') : character).replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  }
  return new RegExp(`^${source}$`, caseless ? 'isu' : 'su');
}

type Test = (textOf: (column: number) => string) => boolean;

/**
 * A condition in the language of filters, `type = buy and price > 10`, over columns by their names or places from 1. A column
 * without a value meets none but `is null`. Throws BAD_INPUT for other texts and columns.
 */
export function rowCondition(text: string, names: readonly string[]): RowCondition {
  const plain = names.map(plainName);
  const columnOf = (segments: readonly string[]): number => {
    const name = segments.join('.');
    const exact = names.findIndex((known) => known.trim() === name);
    const found = exact !== -1 ? exact : /^\d+$/.test(name) ? Number(name) - 1 : plain.indexOf(plainName(name));
    if (found >= 0 && found < names.length) return found;
    throw badInput(`--where: there is no column "${name}"; there are ${names.join(', ')}`, '--where');
  };
  const filter = parseFilter(text, '--where', (segments): RunField => {
    columnOf(segments);
    return { type: 'json', root: 'parameters', path: segments };
  });
  if (filter === null) throw badInput('--where: expected a condition such as type = buy', '--where');
  return { isMet: testOf(filter) };

  function testOf(of: RunFilter): Test {
    switch (of.type) {
      case 'and': {
        const tests = of.operands.map(testOf);
        return (textOf) => tests.every((test) => test(textOf));
      }
      case 'or': {
        const tests = of.operands.map(testOf);
        return (textOf) => tests.some((test) => test(textOf));
      }
      case 'not': {
        const test = testOf(of.operand);
        return (textOf) => !test(textOf);
      }
      default:
        return conditionOf(of);
    }
  }

  function conditionOf(of: Exclude<RunFilter, { type: 'and' | 'or' | 'not' }>): Test {
    if (!('path' in of.field)) throw badInput('--where: expected conditions on columns', '--where');
    const column = columnOf(of.field.path);
    const read = (textOf: (column: number) => string): Value => {
      const value = textOf(column).trim();
      return isMissing(value) ? null : value;
    };
    switch (of.type) {
      case 'compareJson': {
        const { operator, value } = of;
        return (textOf) => compare(read(textOf), operator, value);
      }
      case 'inJson': {
        const { values, negated } = of;
        return (textOf) => {
          const value = read(textOf);
          return value !== null && values.some((wanted) => compare(value, '=', wanted)) !== negated;
        };
      }
      case 'like': {
        const expression = patternOf(of.pattern, of.caseless);
        const { negated } = of;
        return (textOf) => {
          const value = read(textOf);
          return value !== null && expression.test(value) !== negated;
        };
      }
      case 'null': {
        const { negated } = of;
        return (textOf) => (read(textOf) === null) !== negated;
      }
      default:
        throw badInput('--where: expected conditions on columns', '--where');
    }
  }
}
