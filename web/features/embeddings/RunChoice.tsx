import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { type RunWithEmbeddings, useRunsWithEmbeddings } from './useRunsWithEmbeddings.ts';
import { Button } from '#web/components/Button.tsx';
import { CommandBox } from '#web/components/CommandBox.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { pythonEmbeddings } from '../shared/firstSteps.ts';
import { namesakeDetails } from '../shared/namesakes.ts';
import { embeddingFiles } from './embeddingFiles.ts';

/** Runs that left embeddings, to choose one from; where there is none, how to make some. */
export function RunChoice() {
  const [typed, setTyped] = useState('');
  const text = useDeferredValue(typed.trim());
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useRunsWithEmbeddings(text);
  const runs = data?.pages.flat() ?? [];
  if (isPending && error === null) return <Loading what="runs" look="rows" />;
  if (data !== undefined && runs.length === 0 && text === '' && typed === '') return <NoEmbeddingsYet />;
  return (
    <>
      <div className="row">
        <input
          className="input"
          type="search"
          aria-label="Find runs with embeddings"
          placeholder="Words or a number"
          value={typed}
          maxLength={200}
          onChange={(event) => setTyped(event.target.value)}
        />
        <span className="muted">Runs that left embeddings, the newest first.</span>
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The runs cannot be listed." error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && runs.length === 0 && <p className="muted">No run with embeddings is like that.</p>}
      {runs.length > 0 && <RunsWithEmbeddings runs={runs} />}
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more runs
        </Button>
      )}
    </>
  );
}

function RunsWithEmbeddings({ runs }: { runs: readonly RunWithEmbeddings[] }) {
  const details = namesakeDetails(runs);
  return (
    <section
      className="panel table-scroll"
      aria-label="Runs with embeddings"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table className="table embeddings-runs">
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">State</th>
            <th scope="col">Files</th>
            <th scope="col">Dataset</th>
            <th scope="col">Project</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, index) => (
            <RunLine key={run.id} run={run} detail={details[index]!} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Files of a run that are named, those that are most likely embeddings. */
const MOST_FILES = 3;

function RunLine({ run, detail }: { run: RunWithEmbeddings; detail: string }) {
  const files = embeddingFiles(run.artifacts);
  return (
    <tr>
      <th scope="row">
        <Link to="/embeddings" search={{ run: String(run.number) }}>
          #{run.number} {run.name}
        </Link>
        {detail !== '' && <span className="muted"> {detail}</span>}
      </th>
      <td>
        <StateBadge state={run.state} />
      </td>
      <td title={files.map(({ name }) => name).join('\n')}>
        {files.slice(0, MOST_FILES).map(({ name }, index) => (
          <span key={name}>
            {index > 0 && ', '}
            <Link to="/embeddings" search={{ run: String(run.number), artifact: name }}>
              {name}
            </Link>
          </span>
        ))}
        {files.length > MOST_FILES && <span className="muted"> and {files.length - MOST_FILES} more</span>}
      </td>
      <td>{run.configuration.datasetName ?? '–'}</td>
      <td>{run.project.name}</td>
      <td>
        <TimeText time={run.createdAt} />
      </td>
    </tr>
  );
}

function NoEmbeddingsYet() {
  return (
    <EmptyState title="No run has left embeddings yet">
      <p>
        Embeddings are files that end with <code>.npy</code>. Most trained kinds leave <code>item-embeddings.npy</code>:{' '}
        <Link to="/new">queue one</Link>. A program logs an array of floats with a row an item:
      </p>
      <CommandBox {...pythonEmbeddings(location.origin)} />
    </EmptyState>
  );
}
