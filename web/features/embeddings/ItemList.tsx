import { useDeferredValue, useMemo, useState } from 'react';
import { Button } from '#web/components/Button.tsx';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import type { ItemColumn } from './itemTable.ts';

export interface ItemListProps {
  rows: number;
  nameOf(row: number): string;
  columns: readonly ItemColumn[];
  /** (rows, 3) */
  places: Float32Array;
  inSpace: boolean;
  chosen: number | null;
  onChoose(row: number): void;
}

const PAGE = 15;
const MOST_COLUMNS = 6;

/** All items as a table, found by words: the picture for those who search and for those who do not see it. */
export function ItemList({ rows, nameOf, columns, places, inSpace, chosen, onChoose }: ItemListProps) {
  const [words, setWords] = useState('');
  const wanted = useDeferredValue(words).trim().toLowerCase();
  const [from, setFrom] = useState(0);
  const shownColumns = columns.slice(0, MOST_COLUMNS);
  const found = useMemo(() => {
    const all = Array.from({ length: rows }, (_, row) => row);
    if (wanted === '') return all;
    const has = (text: string) => text.toLowerCase().includes(wanted);
    return all.filter(
      (row) =>
        String(row) === wanted || has(nameOf(row)) || columns.some((column) => has(String(column.values[row] ?? ''))),
    );
  }, [rows, wanted, nameOf, columns]);
  const first = from < found.length ? from : 0;
  const axes = inSpace ? ['x', 'y', 'z'] : ['x', 'y'];
  return (
    <section className="panel" aria-labelledby="item-list">
      <div className="panel-head">
        <h2 id="item-list">Items</h2>
        <input
          className="input"
          type="search"
          aria-label="Find items"
          placeholder="Find items"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setFrom(0);
          }}
        />
        <span className="muted" role="status">
          {found.length === 0
            ? 'none found'
            : `${formatCount(first + 1)} to ${formatCount(Math.min(found.length, first + PAGE))} of ${formatCount(found.length)}`}
        </span>
        <span className="row spread">
          <Button disabled={first === 0} onClick={() => setFrom(Math.max(0, first - PAGE))}>
            Previous
          </Button>
          <Button disabled={first + PAGE >= found.length} onClick={() => setFrom(first + PAGE)}>
            Next
          </Button>
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="table-scroll" aria-label="Items and their places" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col" className="number">
                Row
              </th>
              {shownColumns.map(({ name, isNumeric }) => (
                <th scope="col" key={name} className={isNumeric ? 'number' : undefined}>
                  {name}
                </th>
              ))}
              {axes.map((axis) => (
                <th scope="col" className="number" key={axis}>
                  {axis}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.slice(first, first + PAGE).map((row) => (
              <tr key={row} aria-current={row === chosen ? 'true' : undefined}>
                <th scope="row">
                  <button type="button" className="cloud-item" onClick={() => onChoose(row)}>
                    {nameOf(row)}
                  </button>
                </th>
                <td className="number">{formatCount(row)}</td>
                {shownColumns.map(({ name, isNumeric, values }) => (
                  <td key={name} className={isNumeric ? 'number' : undefined}>
                    {valueText(values[row] ?? null)}
                  </td>
                ))}
                {axes.map((axis, at) => (
                  <td className="number" key={axis}>
                    {places[3 * row + at]!.toFixed(3)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** A value as the list and the chosen item show it. */
export function valueText(value: string | number | null): string {
  if (value === null) return '–';
  return typeof value === 'number' ? formatNumber(value) : value;
}
