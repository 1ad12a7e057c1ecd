import { asPlainObject, isPlainObject, type PlainObject } from '#src/base/lib/plainObject.ts';

/** What a form shows for one place of a JSON Schema. */
export interface SchemaField {
  /** Dotted path from the root: `optimizer.learningRate`. */
  path: string;
  name: string;
  title: string;
  description: string;
  nullable: boolean;
  /** `undefined` where the schema gives none. */
  defaultValue: unknown;
  control: FieldControl;
}

export interface NumberLimits {
  integer: boolean;
  minimum: number | null;
  maximum: number | null;
  exclusiveMinimum: number | null;
  exclusiveMaximum: number | null;
}

export type FieldControl =
  | { type: 'text'; pattern: string | null }
  | ({ type: 'number' } & NumberLimits)
  | { type: 'boolean' }
  | { type: 'choice'; options: (string | number | boolean)[] }
  | ({ type: 'numberList' } & NumberLimits)
  | { type: 'textList' }
  | { type: 'group'; fields: SchemaField[] }
  /** One of several objects, told apart by the constant at `discriminator`. */
  | { type: 'variants'; discriminator: string; variants: { value: string; fields: SchemaField[] }[] }
  /** Anything else is edited as JSON. */
  | { type: 'json' };

/** The fields of a JSON Schema for an object (draft 2020-12 as zod writes it; `$ref` into `$defs` is followed). */
export function fieldsOfSchema(schema: unknown, prefix = ''): SchemaField[] {
  return objectFields(asPlainObject(schema), asPlainObject(schema), prefix);
}

function objectFields(schema: PlainObject, root: PlainObject, prefix: string): SchemaField[] {
  return Object.entries(asPlainObject(schema.properties)).map(([name, property]) =>
    readField(name, resolve(property, root), { root, prefix }),
  );
}

function readField(name: string, schema: PlainObject, place: { root: PlainObject; prefix: string }): SchemaField {
  const path = `${place.prefix}${name}`;
  const { inner, nullable } = withoutNull(schema, place.root);
  return {
    path,
    name,
    title: textOf(schema.title) ?? textOf(inner.title) ?? humanName(name),
    description: textOf(schema.description) ?? textOf(inner.description) ?? '',
    nullable,
    defaultValue: 'default' in schema ? schema.default : inner.default,
    control: readControl(inner, place.root, path),
  };
}

function readControl(schema: PlainObject, root: PlainObject, path: string): FieldControl {
  const options = optionsOf(schema);
  if (options !== null) return { type: 'choice', options };
  const branches = branchesOf(schema)?.map((branch) => resolve(branch, root));
  if (branches !== undefined) return readUnion(branches, root, path);
  switch (schema.type) {
    case 'boolean':
      return { type: 'boolean' };
    case 'string':
      return { type: 'text', pattern: textOf(schema.pattern) };
    case 'integer':
    case 'number':
      return { type: 'number', ...limitsOf(schema) };
    case 'array':
      return readArray(resolve(schema.items, root));
    case 'object':
      return isPlainObject(schema.properties)
        ? { type: 'group', fields: objectFields(schema, root, `${path}.`) }
        : { type: 'json' };
    default:
      return { type: 'json' };
  }
}

function readArray(items: PlainObject): FieldControl {
  if (items.type === 'number' || items.type === 'integer') return { type: 'numberList', ...limitsOf(items) };
  if (items.type === 'string') return { type: 'textList' };
  return { type: 'json' };
}

function readUnion(branches: PlainObject[], root: PlainObject, path: string): FieldControl {
  const constants = branches.map((branch) => optionsOf(branch));
  if (constants.every((options) => options !== null)) return { type: 'choice', options: constants.flat() };
  const discriminator = Object.keys(asPlainObject(branches[0]?.properties)).find((name) =>
    branches.every((branch) => typeof asPlainObject(asPlainObject(branch.properties)[name]).const === 'string'),
  );
  if (discriminator === undefined) return { type: 'json' };
  return {
    type: 'variants',
    discriminator,
    variants: branches.map((branch) => ({
      value: String(asPlainObject(asPlainObject(branch.properties)[discriminator]).const),
      fields: objectFields(branch, root, `${path}.`).filter((field) => field.name !== discriminator),
    })),
  };
}

/** The schema without its null branch, and whether there was one. */
function withoutNull(schema: PlainObject, root: PlainObject): { inner: PlainObject; nullable: boolean } {
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const types: unknown[] = schema.type.filter((type) => type !== 'null');
    return { inner: { ...schema, type: types.length === 1 ? types[0] : types }, nullable: true };
  }
  const branches = branchesOf(schema)?.map((branch) => resolve(branch, root));
  if (branches === undefined) return { inner: schema, nullable: false };
  const rest = branches.filter((branch) => branch.type !== 'null' && branch.const !== null);
  if (rest.length === branches.length) return { inner: schema, nullable: false };
  return { inner: rest.length === 1 ? rest[0]! : { anyOf: rest }, nullable: true };
}

function branchesOf(schema: PlainObject): unknown[] | undefined {
  if (Array.isArray(schema.anyOf)) return schema.anyOf;
  return Array.isArray(schema.oneOf) ? schema.oneOf : undefined;
}

function optionsOf(schema: PlainObject): (string | number | boolean)[] | null {
  const options: unknown[] | null = Array.isArray(schema.enum)
    ? schema.enum
    : 'const' in schema
      ? [schema.const]
      : null;
  return options === null ? null : options.filter(isChoice);
}

function isChoice(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function limitsOf(schema: PlainObject): NumberLimits {
  return {
    integer: schema.type === 'integer',
    minimum: limit(schema.minimum),
    maximum: limit(schema.maximum),
    exclusiveMinimum: limit(schema.exclusiveMinimum),
    exclusiveMaximum: limit(schema.exclusiveMaximum),
  };
}

/** Zod writes the safe integers as bounds of every integer: they say nothing to a person. */
function limit(value: unknown): number | null {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null;
}

function resolve(schema: unknown, root: PlainObject): PlainObject {
  const object = asPlainObject(schema);
  if (typeof object.$ref !== 'string') return object;
  const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(object.$ref)?.[1];
  const found = name === undefined ? undefined : asPlainObject(root.$defs ?? root.definitions)[name];
  const { $ref: _, ...rest } = object;
  return { ...asPlainObject(found), ...rest };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A name of code in words: `maximumUsers` → `Maximum users`. */
export function humanName(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
