export type PlainObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object (not null, not a list). */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; `{}` for anything else. */
export function asPlainObject(value: unknown): PlainObject {
  return isPlainObject(value) ? value : {};
}

/** The value at a dotted path; a name that itself holds dots wins over nesting. `undefined` where absent. */
export function valueAt(object: unknown, path: string): unknown {
  if (!isPlainObject(object)) return undefined;
  if (Object.hasOwn(object, path)) return object[path];
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    if (!Object.hasOwn(object, head)) continue;
    const found = valueAt(object[head], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A copy of the object with the value at a dotted path set, objects made on the way. */
export function withValueAt(object: PlainObject, path: string, value: unknown): PlainObject {
  const dot = path.indexOf('.');
  if (dot === -1) return { ...object, [path]: value };
  const head = path.slice(0, dot);
  return { ...object, [head]: withValueAt(asPlainObject(object[head]), path.slice(dot + 1), value) };
}

/** Leaves of a JSON object as [dotted path, value], in their order; lists and empty objects are leaves. */
export function flattenObject(object: PlainObject, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const path = `${prefix}${name}`;
    return isPlainObject(value) && Object.keys(value).length > 0 ? flattenObject(value, `${path}.`) : [[path, value]];
  });
}
