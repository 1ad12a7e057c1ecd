import { useId } from 'react';
import { formatValue } from '#web/lib/fieldText.ts';
import type { PlainObject } from '#src/base/lib/plainObject.ts';
import { leavesByName } from '#web/lib/leavesByName.ts';

export interface ValueTableProps {
  title: string;
  values: PlainObject;
  /** Said when there are none. */
  empty: string;
  /** A value in words. */
  textOf?: (path: string, value: unknown) => string;
}

/** The leaves of a JSON object by dotted path, in the order of their names. */
export function ValueTable({ title, values, empty, textOf = (_, value) => formatValue(value) }: ValueTableProps) {
  const id = useId();
  const entries = leavesByName(values);
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 className="panel-head" id={id}>
        {title}
      </h2>
      {entries.length === 0 ? (
        <p className="panel-body muted">{empty}</p>
      ) : (
        <table className="table value-table">
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(([path, value]) => (
              <tr key={path}>
                <th scope="row">
                  <code>{path}</code>
                </th>
                <td className={value === null ? 'muted' : undefined}>{textOf(path, value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
