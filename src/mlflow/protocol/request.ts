import { badInput } from '#src/base/contracts/errors.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';

/** What a field of a request holds, as protobuf reads JSON: numbers may come as texts. */
type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'texts' | 'array';

interface FieldValues {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  texts: string[];
  array: unknown[];
}

const SEE = 'See the API docs for more information about request parameters.';

/** A field that must be there is written with `!`. */
export type RequestShape = Readonly<Record<string, FieldType | `${FieldType}!`>>;

type Read<Type> = Type extends `${infer Base extends FieldType}!`
  ? FieldValues[Base]
  : Type extends FieldType
    ? FieldValues[Type] | undefined
    : never;
export type RequestOf<Shape extends RequestShape> = { [Name in keyof Shape]: Read<Shape[Name]> };

/** JSON as Python writes it with its shortest separators. */
export function shownJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** The text that a body was read from, for messages; numbers lose there whether they were written as 9 or 9.0. */
const SOURCE = Symbol('source');

/** A body that knows its text. */
export function withSource(body: Record<string, unknown>, text: string): Record<string, unknown> {
  return { ...body, [SOURCE]: text };
}

/** Whether a whole number of a body was written as a decimal, which is a float to Python. */
function isWrittenFloat(body: Readonly<Record<string | symbol, unknown>>, name: string): boolean {
  const text = body[SOURCE];
  if (typeof text !== 'string') return false;
  const at = text.indexOf(`${JSON.stringify(name)}:`);
  const literal = at < 0 ? '' : text.slice(at + name.length + 3).trimStart();
  return /^-?\d+(?:\.\d+|e)/i.test(literal);
}

function shownValue(value: unknown, isFloat: boolean): string {
  return isFloat && Number.isInteger(value) && Math.abs(Number(value)) < 1e16 ? `${value}.0` : shownJson(value);
}

function typeOf(value: unknown, isFloat: boolean): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) && !isFloat ? 'int' : 'float';
  if (typeof value === 'string') return 'str';
  return Array.isArray(value) ? 'list' : 'dict';
}

/** A whole number below 2⁵³, written as such or as a text; null when it is neither. */
export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** A number, written as such or as a text such as `NaN` or `-Infinity`; null when it is neither. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (/^nan$/i.test(text)) return Number.NaN;
  const infinite = /^([+-]?)inf(?:inity)?$/i.exec(text);
  if (infinite === null) return null;
  return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function read(type: FieldType, value: unknown): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : null;
    case 'integer':
      return integerOf(value);
    case 'number':
      return numberOf(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : null;
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null;
    case 'array':
      return Array.isArray(value) ? value : null;
  }
}

/** @throws WarrenError BAD_INPUT that says in MLflow's words which field is missing or of another type. */
export function readRequest<Shape extends RequestShape>(body: Record<string, unknown>, shape: Shape): RequestOf<Shape> {
  const found: Record<string, unknown> = {};
  for (const [name, wanted] of Object.entries(shape)) {
    const required = wanted.endsWith('!');
    const type = wanted.replace('!', '') as FieldType;
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value === undefined || value === null || (required && value === '')) {
      if (required) throw badInput(`Missing value for required parameter '${name}'. ${SEE}`, name);
      continue;
    }
    const known = read(type, value);
    if (known === null) {
      const isFloat = typeof value === 'number' && isWrittenFloat(body, name);
      const hint = `Hint: Value was of type '${typeOf(value, isFloat)}'.`;
      throw badInput(
        `Invalid value ${shownValue(value, isFloat)} for parameter '${name}' supplied:  ${hint} ${SEE}`,
        name,
      );
    }
    found[name] = known;
  }
  return found as RequestOf<Shape>;
}

/** Clients of old call a run's id `run_uuid`. */
export function withRunId(body: Record<string, unknown>): Record<string, unknown> {
  return body.run_id === undefined && typeof body.run_uuid === 'string' ? { ...body, run_id: body.run_uuid } : body;
}

/** Objects of a list with a key each. @throws WarrenError BAD_INPUT where one has none. */
export function keyedObjects(list: readonly unknown[] | undefined, path: string): Record<string, unknown>[] {
  return (list ?? []).map((item, index) => {
    const object = isPlainObject(item) ? { ...item } : {};
    if (object.key === undefined || object.key === null || object.key === '') {
      throw badInput(`Missing value for required parameter '${path}[${index}].key'. ${SEE}`, path);
    }
    return object;
  });
}

/** The same as MLflow's own check for a field inside a list. @throws WarrenError BAD_INPUT. */
export function missingField(path: string): Error {
  return badInput(`Missing value for required parameter '${path}'. ${SEE}`, path);
}
