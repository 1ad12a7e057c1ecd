import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { type RunFiles, useRunFiles } from './useRunFiles.ts';
import { useRunsWithEmbeddings } from './useRunsWithEmbeddings.ts';
import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { Button } from '#web/components/Button.tsx';
import { CommandBox } from '#web/components/CommandBox.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { embeddingFile, embeddingFiles, itemFileOf, whyDifferentItems } from './embeddingFiles.ts';
import type { EmbeddingsSearch } from './embeddingsSearch.ts';
import { ITEM_FILE } from './itemTable.ts';
import { Projector } from './Projector.tsx';
import { RunChoice } from './RunChoice.tsx';
import { pythonEmbeddings } from '../shared/firstSteps.ts';
import './embeddings.css';

/** The embeddings that a run left, alone or beside those of another run. */
export function EmbeddingsPage() {
  const search = useSearch({ from: '/embeddings' });
  const navigate = useNavigate({ from: '/embeddings' });
  const first = useRunFiles(search.run ?? null);
  const second = useRunFiles(search.with ?? null);
  useTitle(first.data ? `Embeddings of #${first.data.number}` : 'Embeddings');
  const change = (part: Partial<EmbeddingsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });

  const file = first.data ? embeddingFile(first.data.artifacts, search.artifact) : null;
  const otherFile = second.data ? embeddingFile(second.data.artifacts, search.withArtifact ?? file?.name) : null;
  const byNumber = search.items === 'none';
  const sources = useMemo(
    () =>
      file === null
        ? null
        : [
            sourceOf(first.data!, file, byNumber),
            ...(otherFile === null ? [] : [sourceOf(second.data!, otherFile, byNumber)]),
          ],
    [first.data, second.data, file, otherFile, byNumber],
  );
  const itemFiles = useMemo(() => (first.data ? itemFilesOf(first.data) : []), [first.data]);

  if (search.run === undefined) {
    return (
      <Frame>
        <RunChoice />
      </Frame>
    );
  }
  const error = first.error ?? second.error;
  if (error !== null && !isNetworkError(error)) {
    return (
      <Frame>
        <ErrorNotice title="The run cannot be read." error={error} />
      </Frame>
    );
  }
  if (first.data === undefined || (search.with !== undefined && second.data === undefined)) {
    return (
      <Frame>
        <Loading what="embeddings" />
      </Frame>
    );
  }
  if (first.data === null) {
    return (
      <Frame>
        <p className="notice">There is no run {search.run}.</p>
        <RunChoice />
      </Frame>
    );
  }
  const run = first.data;
  const other = second.data ?? null;
  return (
    <Frame run={run}>
      <div className="row">
        <FileChoice run={run} current={file?.name} onChange={(artifact) => change({ artifact, row: undefined })} />
        <BesideForm
          initial={search.with ?? ''}
          isBeside={other !== null}
          onRun={(run) => change({ with: run, withArtifact: undefined })}
        >
          {other !== null && (
            <FileChoice run={other} current={otherFile?.name} onChange={(withArtifact) => change({ withArtifact })} />
          )}
        </BesideForm>
      </div>
      {search.with !== undefined && second.data === null && <p className="notice">There is no run {search.with}.</p>}
      {other !== null && otherFile === null && (
        <p className="notice">Run #{other.number} left no embeddings: none of its files ends with .npy.</p>
      )}
      {sources === null ? (
        <NoEmbeddings artifact={search.artifact} />
      ) : (
        <Projector
          sources={sources}
          runLabels={[run, ...(otherFile === null ? [] : [other!])].map(({ number, name }) => `#${number} ${name}`)}
          itemFiles={itemFiles}
          doubt={(by) => (otherFile === null ? null : whyDifferentItems(dataOf(run), dataOf(other!), by))}
          search={search}
          onSearch={change}
        />
      )}
    </Frame>
  );
}

function Frame({ run, children }: { run?: RunFiles; children: ReactNode }) {
  return (
    <div className="page">
      <div className="page-head">
        <h1>Embeddings</h1>
        {run !== undefined && (
          <Link to="/runs/$runId" params={{ runId: String(run.number) }}>
            #{run.number} {run.name}
          </Link>
        )}
      </div>
      {children}
    </div>
  );
}

interface BesideFormProps {
  /** Number of the run that is compared; empty without one. */
  initial: string;
  isBeside: boolean;
  onRun(number: string | undefined): void;
  /** Of the run beside, its files. */
  children: ReactNode;
}

/** Which run's embeddings stand beside those of the first. */
function BesideForm({ initial, isBeside, onRun, children }: BesideFormProps) {
  const [typed, setTyped] = useState(initial);
  const offered = useId();
  const { data } = useRunsWithEmbeddings('');
  return (
    <>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          onRun(typed.trim().replace(/^#/, '') || undefined);
        }}
      >
        <label className="row">
          beside run
          <input
            className="input cloud-run"
            inputMode="numeric"
            list={offered}
            placeholder="number"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <datalist id={offered}>
          {data?.pages.flat().map(({ number, name }) => (
            <option key={number} value={number} label={`#${number} ${name}`} />
          ))}
        </datalist>
        <Button type="submit">Compare</Button>
      </form>
      {children}
      {isBeside && (
        <Button
          onClick={() => {
            setTyped('');
            onRun(undefined);
          }}
        >
          Alone again
        </Button>
      )}
    </>
  );
}

function NoEmbeddings({ artifact }: { artifact: string | undefined }) {
  return (
    <EmptyState title={artifact === undefined ? 'The run left no embeddings' : `The run has no file ${artifact}`}>
      <p>
        None of its files ends with <code>.npy</code>. Most trained kinds leave <code>item-embeddings.npy</code>; a
        program logs an array of floats with a row an item.
      </p>
      {artifact === undefined && <CommandBox {...pythonEmbeddings(location.origin)} />}
    </EmptyState>
  );
}

function FileChoice({
  run,
  current,
  onChange,
}: {
  run: RunFiles;
  current: string | undefined;
  onChange(name: string): void;
}) {
  const files = embeddingFiles(run.artifacts);
  if (files.length < 2) return current === undefined ? null : <code>{current}</code>;
  return (
    <select
      className="input"
      aria-label={`File of run ${run.number}`}
      value={current ?? ''}
      onChange={(event) => onChange(event.target.value)}
    >
      {current === undefined && <option value="">Choose a file</option>}
      {files.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function sourceOf(run: RunFiles, { name, viewUrl, sizeBytes }: RunFiles['artifacts'][number], byNumber: boolean) {
  const items = byNumber ? null : itemFileOf(itemFilesOf(run), undefined, name);
  return { url: viewUrl, name: `${name} of run ${run.number}`, sizeBytes, items };
}

/** Files that may tell of the items. */
function itemFilesOf({ artifacts }: RunFiles): { name: string; url: string }[] {
  return artifacts.filter(({ name }) => ITEM_FILE.test(name)).map(({ name, viewUrl }) => ({ name, url: viewUrl }));
}

function dataOf({ configuration, environment }: RunFiles) {
  const { fingerprint } = asPlainObject(environment);
  return {
    dataset: configuration.datasetName ?? null,
    fingerprint: typeof fingerprint === 'string' ? fingerprint : null,
  };
}
