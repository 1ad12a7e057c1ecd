import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { type EntryRow, useEntries } from './useRegistry.ts';
import { Button } from '#web/components/Button.tsx';
import { CommandBox } from '#web/components/CommandBox.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { Tag } from '#web/components/Tag.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { HeadlineText } from './HeadlineText.tsx';
import { pythonModel } from '../shared/firstSteps.ts';
import './models.css';

const TYPES = [
  { value: 'all', label: 'All' },
  { value: 'model', label: 'Models' },
  { value: 'dataset', label: 'Datasets' },
] as const;

/** Registered models and datasets, by name. */
export function ModelsPage() {
  useTitle('Models');
  const { type, search = '' } = useSearch({ from: '/models/' });
  const navigate = useNavigate({ from: '/models/' });
  const asked = { type: type ?? null, search };
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useEntries(asked);
  const entries = data?.pages.flatMap(({ edges }) => edges.map(({ node }) => node)) ?? [];
  const isNarrowed = type !== undefined || search !== '';
  return (
    <div className="page">
      <div className="page-head">
        <h1>Models</h1>
        <Segments
          label="What is shown"
          options={TYPES}
          value={type ?? 'all'}
          onChange={(value) =>
            void navigate({
              search: (before) => ({ ...before, type: value === 'all' ? undefined : value }),
              replace: true,
            })
          }
        />
        <input
          className="input"
          type="search"
          aria-label="Only names with"
          placeholder="Name"
          value={search}
          maxLength={200}
          onChange={({ target }) =>
            void navigate({
              search: (before) => ({ ...before, search: target.value === '' ? undefined : target.value }),
              replace: true,
            })
          }
        />
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The models cannot be shown." error={error} onRetry={() => void refetch()} />
      )}
      {isPending && error === null && <Loading what="models" look="rows" />}
      {data !== undefined && entries.length === 0 && (
        <EmptyState title={isNarrowed ? 'Nothing registered is like that' : 'No models yet'}>
          {!isNarrowed && (
            <>
              <p>
                A model or dataset is a name for what runs left, with versions and aliases. Press “Register” beside an
                artifact of a run, or from a terminal:{' '}
                <code>npm run -s warren -- model register ranker 1:model.npz --alias production</code>
              </p>
              <CommandBox {...pythonModel(location.origin)} />
            </>
          )}
        </EmptyState>
      )}
      {entries.length > 0 && <EntryTable entries={entries} />}
      {hasNextPage && (
        <div className="row">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            More
          </Button>
        </div>
      )}
    </div>
  );
}

function EntryTable({ entries }: { entries: readonly EntryRow[] }) {
  return (
    <section
      className="panel table-scroll"
      aria-label="Models and datasets"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col" className="number">
              Newest
            </th>
            <th scope="col">Made by</th>
            <th scope="col">Its metric</th>
            <th scope="col">Aliases</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, name, type, newest, aliases, updatedAt }) => (
            <tr key={id}>
              <th scope="row">
                <Link to="/models/$name" params={{ name }}>
                  {name}
                </Link>
              </th>
              <td>{type}</td>
              <td className="number">{newest?.number ?? '–'}</td>
              <td>
                {newest?.run == null ? (
                  '–'
                ) : (
                  <Link to="/runs/$runId" params={{ runId: String(newest.run.number) }}>
                    #{newest.run.number}
                  </Link>
                )}
              </td>
              <td>
                <HeadlineText headline={newest?.run?.headline ?? null} />
              </td>
              <td>
                <span className="model-aliases">
                  {aliases.map((alias) => (
                    <Tag key={alias.name} text={`${alias.name} = ${alias.number}`} />
                  ))}
                </span>
              </td>
              <td>
                <TimeText time={updatedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
