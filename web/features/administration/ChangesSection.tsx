import { Fragment } from 'react';
import { Disclosure } from '#web/components/Disclosure.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { type ChangePart, changeParts } from './changeParts.ts';

/** The version and what it changes, as its changelog says: of a long one the heads, which are opened one by one. */
export function ChangesSection({ version, changes }: { version: string; changes: string }) {
  const { name, parts, count, isShort } = changeParts(changes);
  return (
    <section className="panel" aria-labelledby="changes-title">
      <div className="panel-head">
        <h2 id="changes-title">Version {version}</h2>
        {count > 0 && <span className="muted">{`${name === version ? '' : `${name}: `}${entriesOf(count)}`}</span>}
      </div>
      <div className="panel-body">
        {count === 0 && (
          <p className="muted">What it changes is not known here: its changelog is not beside the programs.</p>
        )}
        {parts.map((part) =>
          part.title === '' ? (
            <Entries key={part.title} part={part} />
          ) : (
            <Disclosure
              key={part.title}
              title={part.title}
              heading="h3"
              note={entriesOf(part.entries.length)}
              open={isShort}
            >
              <Entries part={part} />
            </Disclosure>
          ),
        )}
      </div>
    </section>
  );
}

function Entries({ part }: { part: ChangePart }) {
  return (
    <ul className="admin-changes">
      {part.entries.map((entry) => (
        <li key={entry}>
          {entry.split('`').map((words, place) => {
            const key = `${place} ${words}`;
            return place % 2 === 1 ? <code key={key}>{words}</code> : <Fragment key={key}>{words}</Fragment>;
          })}
        </li>
      ))}
    </ul>
  );
}

function entriesOf(count: number): string {
  return count === 1 ? '1 entry' : `${formatCount(count)} entries`;
}
