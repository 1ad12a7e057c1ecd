import { badInput } from '#src/base/contracts/errors.ts';
import { findChangedNumber, whyChanged } from '#src/base/lib/changedNumber.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';

export interface Assignment {
  /** `['optimizer', 'smoothing']` of `optimizer.smoothing=…`. */
  path: string[];
  value: unknown;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** A number as people and other languages write it, which JSON does not take: `.5`, `5.`, `+1`. */
const LOOSE_NUMBER = /^[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * `path=value` of `--set`: the value is a number (`.5`) or JSON where it can be read as such (`true`, `[1, 2]`, `"5"`), else the
 * text itself (`sum`). Throws BAD_INPUT for a path that is none and for JSON that begins but does not parse.
 */
export function parseAssignment(text: string): Assignment {
  const equals = text.indexOf('=');
  if (equals < 1) throw badInput(`expected path=value, such as --set layers=2, not "${text}"`, '--set');
  const path = text.slice(0, equals).trim().split('.');
  for (const name of path) {
    if (!NAME.test(name) || FORBIDDEN.has(name)) {
      throw badInput(
        `"${text.slice(0, equals)}" is not a path: names of letters, digits, _ and - joined by dots`,
        '--set',
      );
    }
  }
  return { path, value: parseValue(text.slice(equals + 1), text) };
}

function parseValue(text: string, whole: string): unknown {
  const trimmed = text.trim();
  const wrong = LOOSE_NUMBER.test(trimmed)
    ? { text: trimmed, path: 'value' }
    : findChangedNumber(`{"value":${trimmed}}`, new Set(['value']));
  const why = wrong === null ? null : whyChanged(wrong.text);
  if (why !== null) throw badInput(`the value in "${whole}": ${wrong?.text} ${why}`, '--set');
  try {
    return JSON.parse(trimmed);
  } catch {
    if (/^[[{"]/.test(trimmed)) {
      throw badInput(
        `the value in "${whole}" begins like JSON but is not: quote it for the shell, such as --set 'x=[1, 2]'`,
        '--set',
      );
    }
    return LOOSE_NUMBER.test(trimmed) ? Number(trimmed) : trimmed;
  }
}

/** One nested object of all assignments; a later one wins. Throws BAD_INPUT where one path runs through another's value. */
export function assignmentsToObject(assignments: readonly Assignment[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { path, value } of assignments) {
    let at = root;
    path.slice(0, -1).forEach((name, depth) => {
      const inner = at[name];
      if (inner === undefined) {
        const made: Record<string, unknown> = {};
        at[name] = made;
        at = made;
      } else if (isPlainObject(inner)) {
        at = inner;
      } else {
        throw badInput(
          `${path.slice(0, depth + 1).join('.')} is set to a value and to an object with ${path.join('.')}`,
          '--set',
        );
      }
    });
    at[path.at(-1) ?? ''] = value;
  }
  return root;
}
