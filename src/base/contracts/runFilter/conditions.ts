import { assertNever } from '#src/base/lib/assertNever.ts';
import { printField } from './print.ts';
import { filterError, type Place } from './filterError.ts';
import type { Condition, Operator, RunField } from './syntax.ts';
import { jsonScalarOf, type Literal, numberOf, stateOf, timeOf } from './values.ts';

/** A field with the words it was named by and where the condition's operator stands. */
export interface Subject {
  field: RunField;
  name: string;
  place: Place;
}

/** `field operator value`, with the value read as the field wants it. */
export function comparison(subject: Subject, operator: Operator, literal: Literal): Condition {
  const { field, name } = subject;
  switch (field.type) {
    case 'text':
    case 'loggedText':
      return { type: 'compareText', field, operator, value: literal.text };
    case 'number':
    case 'metric':
      return { type: 'compareNumber', field, operator, value: numberOf(literal, name, textHint(field)) };
    case 'time':
      return { type: 'compareTime', field, operator, value: timeOf(literal, name) };
    case 'json': {
      const value = jsonScalarOf(literal);
      if (typeof value === 'boolean') refuseOrder(subject, operator, 'a truth value');
      return { type: 'compareJson', field, operator, value };
    }
    case 'state':
      refuseOrder(subject, operator, 'a state');
      return { type: 'inStates', field, negated: operator === '!=', values: [stateOf(literal)] };
    case 'tag':
      refuseOrder(subject, operator, 'a tag');
      return { type: 'inTags', field, negated: operator === '!=', values: [literal.text] };
    default:
      return assertNever(field);
  }
}

/** `field in (…)` or `field not in (…)`. */
export function membership(subject: Subject, negated: boolean, literals: readonly Literal[]): Condition {
  const { field, name, place } = subject;
  switch (field.type) {
    case 'text':
    case 'loggedText':
      return { type: 'inTexts', field, negated, values: literals.map((literal) => literal.text) };
    case 'number':
    case 'metric':
      return {
        type: 'inNumbers',
        field,
        negated,
        values: literals.map((literal) => numberOf(literal, name, textHint(field))),
      };
    case 'json':
      return { type: 'inJson', field, negated, values: literals.map(jsonScalarOf) };
    case 'state':
      return { type: 'inStates', field, negated, values: literals.map(stateOf) };
    case 'tag':
      return { type: 'inTags', field, negated, values: literals.map((literal) => literal.text) };
    case 'time':
      throw filterError(place, `${name} is a time: compare it with <, <=, >, >= or =, not with "in"`);
    default:
      return assertNever(field);
  }
}

/** `field like pattern`, negated or not, minding case or not. */
export function pattern(subject: Subject, negated: boolean, caseless: boolean, literal: Literal): Condition {
  const { field, name, place } = subject;
  if (field.type !== 'text' && field.type !== 'loggedText' && field.type !== 'tag' && field.type !== 'json') {
    throw filterError(place, `"like" is for texts, and ${name} is none${textHint(field)}`);
  }
  if (/(^|[^\\])(\\\\)*\\$/.test(literal.text)) {
    throw filterError(literal.place, 'a pattern cannot end with a single \\; write \\\\ for the character itself');
  }
  return { type: 'like', field, negated, caseless, pattern: literal.text };
}

/** `field is null` or `field is not null`. */
export function nullTest(field: RunField, negated: boolean): Condition {
  return { type: 'null', field, negated };
}

/** What may have been meant where a text stands beside a metric. */
function textHint(field: RunField): string {
  return field.type === 'metric'
    ? `; a text that was logged is ${printField({ type: 'loggedText', name: field.name })}`
    : '';
}

function refuseOrder(subject: Subject, operator: Operator, what: string): void {
  if (operator === '=' || operator === '!=') return;
  throw filterError(subject.place, `${what} is compared with = or !=, or with "in", not with ${operator}`);
}
