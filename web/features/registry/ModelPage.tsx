import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type EntryDetail, useEntry, type VersionRow, useChangeEntry } from './useRegistry.ts';
import { Button } from '#web/components/Button.tsx';
import { CommandBox } from '#web/components/CommandBox.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Facts } from '#web/components/Facts.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { Tag } from '#web/components/Tag.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { Dialog } from '#web/components/Dialog.tsx';
import { SettingInput } from '../newRun/SettingInput.tsx';
import { LabelledControl } from '#web/components/LabelledControl.tsx';
import { linesOfTags, tagChanges } from './tagLines.ts';
import { VersionTable } from './VersionTable.tsx';
import { pythonUse } from '../shared/firstSteps.ts';
import './models.css';

/** Changes what is said of a model or dataset: its description and its tags. */
function EntryDialog({ entry, onClose }: { entry: EntryDetail; onClose(): void }) {
  const [description, setDescription] = useState(entry.description);
  const [tags, setTags] = useState(linesOfTags(entry.tags));
  const [problem, setProblem] = useState<string | null>(null);
  const mutation = useChangeEntry();
  const submit = () => {
    const read = tagChanges(entry.tags, tags);
    setProblem('problem' in read ? read.problem : null);
    if ('problem' in read) return;
    const input = { name: entry.name, description, tags: read.changes };
    mutation.mutate({ change: 'describe', input }, { onSuccess: onClose });
  };
  return (
    <Dialog title={`About ${entry.name}`} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <LabelledControl label="Description">
          {(ties) => (
            <textarea
              {...ties}
              className="input"
              rows={5}
              value={description}
              onChange={({ target }) => setDescription(target.value)}
            />
          )}
        </LabelledControl>
        <LabelledControl label="Tags" hint="One a line, such as team=search." error={problem}>
          {(ties) => (
            <textarea
              {...ties}
              className="input mono"
              rows={Math.min(12, Math.max(3, tags.split('\n').length))}
              spellCheck={false}
              value={tags}
              onChange={({ target }) => setTags(target.value)}
            />
          )}
        </LabelledControl>
        {mutation.error !== null && <ErrorNotice title="Not changed." error={mutation.error} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="primary" disabled={mutation.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Points an alias to a version, or takes one of its aliases away. */
function AliasDialog({ entry, version, onClose }: { entry: EntryDetail; version: VersionRow; onClose(): void }) {
  const [alias, setAlias] = useState('');
  const [leaving, setLeaving] = useState<string | null>(null);
  const mutation = useChangeEntry();
  const now = entry.aliases.find(({ name }) => name === alias.trim());
  const hint = now === undefined ? 'Such as production.' : `It points to version ${now.number} now.`;
  const reference = `${entry.name}:${version.number}`;
  return (
    <Dialog title={`Aliases of version ${version.number}`} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate({ change: 'point', version: reference, alias: alias.trim() }, { onSuccess: onClose });
        }}
      >
        {version.aliases.map((name) => (
          <div className="row" key={name}>
            <code>{name}</code>
            {leaving === name ? (
              <>
                <span>Who asks for it finds nothing then.</span>
                <Button
                  look="danger"
                  disabled={mutation.isPending}
                  aria-label={`Take ${name} away for good`}
                  onClick={() =>
                    mutation.mutate({ change: 'unpoint', name: entry.name, alias: name }, { onSuccess: onClose })
                  }
                >
                  Take it away
                </Button>
              </>
            ) : (
              <Button aria-label={`Take ${name} away`} onClick={() => setLeaving(name)}>
                Take away…
              </Button>
            )}
          </div>
        ))}
        <SettingInput label="Alias that points here" hint={hint} value={alias} error={undefined} onChange={setAlias} />
        {mutation.error !== null && <ErrorNotice title="Not changed." error={mutation.error} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="primary" disabled={mutation.isPending || alias.trim() === ''}>
            Point it here
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks before a version is deleted. */
function DeleteVersionDialog({ name, version, onClose }: { name: string; version: VersionRow; onClose(): void }) {
  const mutation = useChangeEntry();
  const { number, aliases } = version;
  return (
    <Dialog title={`Delete version ${number} of ${name}?`} onClose={onClose}>
      <p>
        Its files go unless a run or another version has them; the run that made it stays.
        {aliases.length > 0 && ` Its aliases go with it: ${aliases.join(', ')}.`}
      </p>
      {mutation.error !== null && <ErrorNotice title="Not deleted." error={mutation.error} />}
      <div className="dialog-foot">
        <Button onClick={onClose}>Keep it</Button>
        <Button
          look="danger"
          disabled={mutation.isPending}
          onClick={() => mutation.mutate({ change: 'delete', version: `${name}:${number}` }, { onSuccess: onClose })}
        >
          Delete
        </Button>
      </div>
    </Dialog>
  );
}

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
