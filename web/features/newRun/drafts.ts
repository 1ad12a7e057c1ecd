import type { FieldControl, SchemaField } from '#web/lib/schemaField.ts';
import { readFieldText } from '#web/lib/fieldText.ts';
import { type PlainObject, valueAt, withValueAt } from '#src/base/lib/plainObject.ts';

/** What was typed, by path; null says “none” of a nullable field. Fields left alone have no entry. */
export type Drafts = Readonly<Record<string, string | null>>;

export interface ReadDrafts {
  /** Values of the fields that were changed. */
  values: PlainObject;
  /** What is wrong, by path. */
  errors: Record<string, string>;
}

/** The values that the drafts stand for, over those that hold without them. */
export function readDrafts(fields: readonly SchemaField[], drafts: Drafts, base: PlainObject): ReadDrafts {
  const read: ReadDrafts = { values: {}, errors: {} };
  for (const field of fields) readField(field, { drafts, base, read });
  return read;
}

interface Reading {
  drafts: Drafts;
  base: PlainObject;
  read: ReadDrafts;
}

function readField(field: SchemaField, reading: Reading): void {
  const { control, path } = field;
  if (control.type === 'group') {
    for (const inner of control.fields) readField(inner, reading);
    return;
  }
  if (control.type === 'variants') {
    readVariants(control, field, reading);
    return;
  }
  const draft = reading.drafts[path];
  if (draft === undefined) return;
  if (draft === null) {
    reading.read.values = withValueAt(reading.read.values, path, null);
    return;
  }
  const result = readFieldText(control, draft);
  if ('message' in result) reading.read.errors[path] = result.message;
  else reading.read.values = withValueAt(reading.read.values, path, result.value);
}

/** A variant that was changed is sent whole: its fields mean nothing beside another variant's. */
function readVariants(
  control: Extract<FieldControl, { type: 'variants' }>,
  field: SchemaField,
  reading: Reading,
): void {
  if (reading.drafts[field.path] === null) {
    reading.read.values = withValueAt(reading.read.values, field.path, null);
    return;
  }
  const place = `${field.path}.${control.discriminator}`;
  const chosen = chosenVariant(control, field, reading);
  const variant = control.variants.find((one) => one.value === chosen);
  if (variant === undefined) return;
  const touched =
    place in reading.drafts || Object.keys(reading.drafts).some((path) => path.startsWith(`${field.path}.`));
  if (!touched) return;
  reading.read.values = withValueAt(reading.read.values, place, chosen);
  for (const inner of variant.fields) {
    if (!(inner.path in reading.drafts) && chosen === valueAt(reading.base, place)) {
      const value = valueAt(reading.base, inner.path);
      if (value !== undefined) reading.read.values = withValueAt(reading.read.values, inner.path, value);
    }
    readField(inner, reading);
  }
}

/** Which variant a field shows now. */
export function chosenVariant(
  control: Extract<FieldControl, { type: 'variants' }>,
  field: SchemaField,
  { drafts, base }: Pick<Reading, 'drafts' | 'base'>,
): string {
  const place = `${field.path}.${control.discriminator}`;
  const held = valueAt(base, place) ?? valueAt(field.defaultValue, control.discriminator);
  return drafts[place] ?? (typeof held === 'string' ? held : (control.variants[0]?.value ?? ''));
}
