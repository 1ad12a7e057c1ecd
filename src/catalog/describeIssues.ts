import type { z } from 'zod';
import { didYouMean, oneOf, thereAre } from '../base/lib/nearNames.ts';
import { nearPaths } from '../base/lib/nearPaths.ts';
import { shownValue } from '../base/lib/shownValue.ts';

/** One thing that is wrong with an input: where, and what was received and expected. */
export interface InputProblem {
  path: string;
  message: string;
}

type Issue = z.core.$ZodIssue;

/** zod's names of types, where `a ${name}` would not be English. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

function pathOf(prefix: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`),
    prefix,
  );
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const key of path) {
    if (inner === null || typeof inner !== 'object') return undefined;
    inner = (inner as Record<PropertyKey, unknown>)[key];
  }
  return inner;
}

function expectation(issue: Issue): string {
  const unit = 'origin' in issue && (issue.origin === 'array' || issue.origin === 'set') ? ' entries' : '';
  const characters = 'origin' in issue && issue.origin === 'string' ? ' characters' : unit;
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_NAMES[issue.expected] ?? `a ${issue.expected}`;
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${characters}`;
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${characters}`;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => shownValue(value)).join(', ')}`;
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_union':
      if ('options' in issue && Array.isArray(issue.options)) {
        return `one of ${issue.options.map((value) => shownValue(value)).join(', ')}`;
      }
      // zod's own words, where the schema has none of its own
      return issue.message === 'Invalid input' ? 'JSON of another form' : issue.message;
    default:
      return issue.message;
  }
}

/** More would help nobody. */
const MOST_PROBLEMS = 20;
const LONGEST_KEY = 100;

/**
 * What a zod schema found wrong with `input`, in words: `parameters.sigmaW: received "big", expected a number`. Unknown
 * members are named one by one, with what may have been meant (`known`: the members that there are at the top; `paths`: all,
 * with those inside of others). The first 20.
 */
export function describeIssues(
  issues: readonly Issue[],
  context: { input: unknown; prefix: string; known: readonly string[]; paths?: () => readonly string[] },
): InputProblem[] {
  const problems = issues.slice(0, MOST_PROBLEMS).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, MOST_PROBLEMS).map((key) => {
        const known = issue.path.length === 0 ? context.known : [];
        const wanted = [...issue.path, key].join('.');
        const meant = context.paths === undefined ? didYouMean(key, known) : oneOf(nearPaths(wanted, context.paths()));
        const hint = meant || thereAre(known);
        return {
          path: pathOf(context.prefix, [...issue.path, key.slice(0, LONGEST_KEY)]),
          message: `is not known.${hint}`,
        };
      });
    }
    const received = `received ${shownValue(valueAt(context.input, issue.path))}`;
    const message =
      issue.code === 'custom' ? `${received}: ${issue.message}` : `${received}, expected ${expectation(issue)}`;
    return [{ path: pathOf(context.prefix, issue.path), message }];
  });
  return problems.slice(0, MOST_PROBLEMS);
}

/** Problems as one text: a single one on its line, several below a heading that names the subject. */
export function listProblems(problems: readonly InputProblem[], subject: string): string {
  const lines = problems.map((problem) => `${problem.path}: ${problem.message}`);
  return lines.length === 1 ? lines[0]! : `${lines.length} things are wrong with ${subject}:\n${lines.join('\n')}`;
}
