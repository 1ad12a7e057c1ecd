import { useEffect, useState } from 'react';
import { Button } from '#web/components/Button.tsx';
import type { Neighbours } from './embeddingMessages.ts';

export interface NeighbourPanelProps {
  row: number;
  /** Of each embedding, in the order of the lists. */
  runLabels: readonly string[];
  nameOf(row: number): string;
  /** Of a row of one of the embeddings. */
  nameIn(embedding: number, row: number): string;
  /** The row of the first that is the same item; -1: none. */
  rowOf(embedding: number, row: number): number;
  near(row: number, count: number): Promise<Neighbours[]>;
  onNear(lists: readonly Neighbours[]): void;
  onChoose(row: number | null): void;
  /** What is known of the row: names and values. */
  facts: readonly (readonly [name: string, value: string])[];
}

const SHOWN = 10;

/** The chosen item: what is known of it, and its nearest by cosine in each embedding. */
export function NeighbourPanel(props: NeighbourPanelProps) {
  const { row, runLabels, nameOf, nameIn, rowOf, near, onNear, onChoose, facts } = props;
  const [lists, setLists] = useState<Neighbours[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the thread is asked once for each row
  useEffect(() => {
    let over = false;
    setLists(null);
    setError(null);
    near(row, SHOWN).then(
      (found) => {
        if (over) return;
        setLists(found);
        onNear(found);
      },
      (failure: unknown) => !over && setError(failure instanceof Error ? failure.message : String(failure)),
    );
    return () => {
      over = true;
    };
  }, [row]);
  const items = lists?.map((list, index) => Array.from(list.rows, (one) => rowOf(index, one))) ?? [];
  const inBoth = items.length === 2 ? new Set(items[0]!.filter((one) => one >= 0 && items[1]!.includes(one))) : null;
  return (
    <section className="panel" aria-labelledby="chosen-item" aria-live="polite">
      <div className="panel-head">
        <h2 id="chosen-item">{nameOf(row)}</h2>
        <Button look="quiet" className="spread" onClick={() => onChoose(null)}>
          Clear
        </Button>
      </div>
      <div className="panel-body stack">
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div className="cloud-fact" key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {error !== null && <p className="danger-text">{error}</p>}
        {lists?.map((list, index) => (
          <table className="table" key={runLabels[index]}>
            <caption>
              {lists.length === 1 ? 'Nearest by cosine' : `Nearest by cosine in ${runLabels[index]}`}
              {list.rows.length === 0 && ': this run does not have the item'}
              {inBoth !== null && index === 0 ? `; ${inBoth.size} of ${list.rows.length} in both (✓)` : ''}
            </caption>
            <thead>
              <tr>
                <th scope="col">Item</th>
                <th scope="col" className="number">
                  Cosine
                </th>
              </tr>
            </thead>
            <tbody>
              {Array.from(list.rows, (other, place) => (
                <tr key={other}>
                  <th scope="row">
                    {items[index]![place]! < 0 ? (
                      <span title={`not in ${runLabels[0]}`}>{nameIn(index, other)}</span>
                    ) : (
                      <button type="button" className="cloud-item" onClick={() => onChoose(items[index]![place]!)}>
                        {nameIn(index, other)}
                      </button>
                    )}
                    {inBoth?.has(items[index]![place]!) && (
                      <span title="near in both embeddings">
                        {' '}
                        <span aria-hidden="true">✓</span>
                        <span className="visually-hidden">in both</span>
                      </span>
                    )}
                  </th>
                  <td className="number">{list.cosines[place]!.toFixed(4)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </section>
  );
}
