import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type EntryDetail, useEntry, type VersionRow } from './useRegistry.ts';
import { Button } from '#web/components/Button.tsx';
import { CommandBox } from '#web/components/CommandBox.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Facts } from '#web/components/Facts.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { Tag } from '#web/components/Tag.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { AliasDialog } from './AliasDialog.tsx';
import { DeleteVersionDialog } from './DeleteVersionDialog.tsx';
import { EntryDialog } from './EntryDialog.tsx';
import { VersionTable } from './VersionTable.tsx';
import { pythonUse } from '../shared/firstSteps.ts';
import './models.css';

/** What is being done to a version. */
type Doing = { what: 'alias' | 'delete'; version: VersionRow } | { what: 'describe' } | null;

/** A model or dataset: its versions, who made them, who took them. */
export function ModelPage() {
  const { name } = useParams({ from: '/models/$name' });
  useTitle(name);
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useEntry(name);
  const [doing, setDoing] = useState<Doing>(null);
  const entry = data?.pages[0] ?? null;
  const versions = data?.pages.flatMap((page) => page?.versions ?? []) ?? [];
  if (entry === null) {
    return (
      <div className="page">
        <div className="page-head">
          <h1>{name}</h1>
        </div>
        {error !== null && (
          <ErrorNotice title="The model cannot be shown." error={error} onRetry={() => void refetch()} />
        )}
        {isPending && error === null && <Loading what="versions" />}
        {data !== undefined && (
          <EmptyState title={`Nothing is registered as “${name}”`}>
            <p>
              It may have been renamed or deleted. <Link to="/models">All models</Link>
            </p>
          </EmptyState>
        )}
      </div>
    );
  }
  return (
    <div className="page">
      <div className="page-head">
        <h1>{entry.name}</h1>
        <span className="muted">{entry.type}</span>
        <Link to="/models">All models</Link>
      </div>
      <EntryFacts entry={entry} onEdit={() => setDoing({ what: 'describe' })} />
      {versions.length === 0 ? (
        <EmptyState title="No versions yet">
          <p>
            Press “Register” beside an artifact of a run, or from a terminal:{' '}
            <code>npm run -s warren -- model register {entry.name} RUN:ARTIFACT</code>
          </p>
        </EmptyState>
      ) : (
        <>
          <CommandBox
            level={2}
            {...pythonUse(
              entry.aliases[0] === undefined ? `${entry.name}:latest` : `${entry.name}@${entry.aliases[0].name}`,
            )}
          />
          <VersionTable
            versions={versions}
            onAlias={(version) => setDoing({ what: 'alias', version })}
            onDelete={(version) => setDoing({ what: 'delete', version })}
          />
        </>
      )}
      {hasNextPage && (
        <div className="row">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Earlier versions
          </Button>
        </div>
      )}
      {doing?.what === 'alias' && <AliasDialog entry={entry} version={doing.version} onClose={() => setDoing(null)} />}
      {doing?.what === 'describe' && <EntryDialog entry={entry} onClose={() => setDoing(null)} />}
      {doing?.what === 'delete' && (
        <DeleteVersionDialog name={entry.name} version={doing.version} onClose={() => setDoing(null)} />
      )}
    </div>
  );
}

function EntryFacts({ entry, onEdit }: { entry: EntryDetail; onEdit(): void }) {
  const { description, tags, aliases, createdAt, versions } = entry;
  const pairs = Object.entries(typeof tags === 'object' && tags !== null ? tags : {});
  const list = (texts: readonly string[]) =>
    texts.length === 0 ? (
      '–'
    ) : (
      <span className="model-aliases">
        {texts.map((text) => (
          <Tag key={text} text={text} />
        ))}
      </span>
    );
  return (
    <section className="panel panel-body model-facts" aria-label="About it">
      {description !== '' && <p className="model-description">{description}</p>}
      <Facts
        facts={[
          ['Newest version', versions[0]?.number ?? '–'],
          ['Aliases', list(aliases.map(({ name, number }) => `${name} = ${number}`))],
          ['Tags', list(pairs.map(([key, value]) => `${key}=${String(value)}`))],
          ['Made', <TimeText key="made" time={createdAt} />],
        ]}
      />
      <Button look="quiet" onClick={onEdit}>
        Edit description and tags
      </Button>
    </section>
  );
}
