import { isNetworkError } from '#web/api/apiError.ts';
import { useAdministration, useEmptyTrash, type Administration, type AdminWorker } from './useAdministration.ts';
import { useServer } from './useServer.ts';
import { useStorage } from '#web/features/shared/useStorage.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { roleName } from '#web/lib/roles.ts';
import { useTitle } from '#web/components/useTitle.ts';
import { StorageSection } from '../shared/StorageSection.tsx';
import { Fragment, useState } from 'react';
import { Disclosure } from '#web/components/Disclosure.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { type ChangePart, changeParts } from './changeParts.ts';
import { Link } from '@tanstack/react-router';
import { Facts } from '#web/components/Facts.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { ProjectSizes, SlowWorkTable, TableSizes } from './SizeTables.tsx';
import { useIssueToken, useRevokeToken, useTokens } from '#web/features/tokens/useTokens.ts';
import { Button } from '#web/components/Button.tsx';
import { NewTokenDialog, type WantedToken } from '../tokens/NewTokenDialog.tsx';
import { holds, TokenTable } from '../tokens/TokenTable.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { showToast } from '#web/components/toasts.ts';
import { UsersSection } from './UsersSection.tsx';
import './admin.css';

interface HealthSectionProps {
  administration: Administration;
  queue: { backend: string; waiting: number; queued: number; running: number };
  workers: readonly AdminWorker[];
}

/** Whether the parts answer, and how quickly. */
function HealthSection({ administration, queue, workers }: HealthSectionProps) {
  const { databaseMs, queueMs, postgresVersion, connections, databaseBytes, version } = administration;
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
  const others = [...new Set(workers.map((worker) => worker.version))].filter((one) => one !== version && one !== '');
  return (
    <section className="panel" aria-labelledby="health-title">
      <div className="panel-head">
        <h2 id="health-title">Services</h2>
      </div>
      <Facts
        facts={[
          [
            'API',
            <span key="api">
              version {version}, {formatBytes(administration.memoryBytes)} of memory, started{' '}
              <TimeText time={administration.startedAt} />
            </span>,
          ],
          [
            'Database',
            <span key="database">
              <Answer milliseconds={databaseMs} />, PostgreSQL {postgresVersion}, {formatBytes(databaseBytes)},{' '}
              {formatCount(connections)} connections
            </span>,
          ],
          [
            'Queue',
            <span key="queue">
              <Answer milliseconds={queueMs} />, {queue.backend}, {formatCount(queue.running)} running,{' '}
              {formatCount(queue.queued)} queued, {formatCount(queue.waiting)} waiting
            </span>,
          ],
          [
            'Workers',
            <span key="workers">
              <Link to="/workers">{formatCount(workers.length)} alive</Link> with {formatCount(slots)}{' '}
              {slots === 1 ? 'slot' : 'slots'}
              {others.length > 0 && <>, some of version {others.join(', ')}: restart them</>}
            </span>,
          ],
        ]}
      />
    </section>
  );
}

function Answer({ milliseconds }: { milliseconds: number | null }) {
  if (milliseconds === null) return <span className="state state-failed">✕ no answer</span>;
  return <span className="state state-succeeded">● answers in {milliseconds.toFixed(1)} ms</span>;
}

/** The version and what it changes, as its changelog says: of a long one the heads, which are opened one by one. */
function ChangesSection({ version, changes }: { version: string; changes: string }) {
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

/** What is in the trash, and a way to delete it for good. */
function TrashSection({ runs, bytes }: { runs: number; bytes: number }) {
  const [asking, setAsking] = useState(false);
  const empty = useEmptyTrash();
  const what = `${formatCount(runs)} ${runs === 1 ? 'run' : 'runs'}, ${formatBytes(bytes)}`;
  return (
    <section className="panel" aria-labelledby="trash-title">
      <div className="panel-head">
        <h2 id="trash-title">Trash</h2>
        <span>{what}</span>
      </div>
      <div className="panel-body row">
        <Link to="/runs" search={{ view: 'trash' }}>
          Look at it
        </Link>
        <Button look="danger" disabled={runs === 0 || empty.isPending} onClick={() => setAsking(true)}>
          Delete for good
        </Button>
      </div>
      {asking && (
        <Dialog title="Delete for good?" onClose={() => setAsking(false)}>
          <p>{what}: nobody can bring them back. Runs whose artifacts others use stay.</p>
          <div className="row">
            <Button
              look="danger"
              onClick={() => {
                setAsking(false);
                empty.mutate(undefined, {
                  onSuccess: (gone) =>
                    showToast(`${formatCount(gone.runs)} runs and ${formatBytes(gone.bytes)} are deleted.`),
                  onError: (error) => showToast(error.message, { error: true }),
                });
              }}
            >
              Delete for good
            </Button>
            <Button onClick={() => setAsking(false)}>Keep</Button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

/** Tokens: those that hold, and on demand those that do not any more. */
function TokensSection() {
  const { data = [], error, isSuccess } = useTokens();
  const [all, setAll] = useState(false);
  const [making, setMaking] = useState(false);
  const withdrawal = useRevokeToken();
  const holding = data.filter((token) => holds(token));
  const shown = all ? data : holding;
  return (
    <section className="panel" aria-labelledby="tokens-title">
      <div className="panel-head">
        <h2 id="tokens-title">Tokens</h2>
        <span>{holding.length} in force</span>
        <label className="check spread">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} />
          Show withdrawn and expired ones
        </label>
        <Button onClick={() => setMaking(true)}>New token</Button>
      </div>
      {making && <NewToken onClose={() => setMaking(false)} />}
      {error !== null && <ErrorNotice title="The tokens cannot be shown." error={error} />}
      {isSuccess && shown.length === 0 && (
        <p className="panel-body muted">There are none. Programs and people on other machines need one each.</p>
      )}
      {shown.length > 0 && <TokenTable tokens={shown} withdrawal={withdrawal} ofEverybody />}
    </section>
  );
}

function NewToken({ onClose }: { onClose(): void }) {
  const { mutate, data, error, isPending } = useIssueToken();
  const issue = {
    ...{ data, error, isPending },
    mutate: ({ project, ...wanted }: WantedToken) =>
      mutate({ ...wanted, grants: project === null ? null : [{ project, role: wanted.role }] }),
  };
  return (
    <NewTokenDialog {...{ onClose, issue }} roles={['READ', 'WRITE', 'ADMIN']} everywhere="all projects" endless />
  );
}

/** How the server is, and what an administrator does about it. */
export function AdminPage() {
  useTitle('Administration');
  const role = useServer().data?.role;
  if (role === undefined) return <Loading what="the server" />;
  if (role !== 'ADMIN' && role !== 'none') {
    return (
      <div className="page">
        <h1>Administration</h1>
        <EmptyState title="This page is for administrators">
          <p>
            Your role here: {roleName(role === 'WRITE' ? 'WRITE' : 'READ')}. It needs the role {roleName('ADMIN')} in
            all projects.
          </p>
        </EmptyState>
      </div>
    );
  }
  return <Overview />;
}

function Overview() {
  const { data, error, isPending, refetch } = useAdministration();
  const { data: storage } = useStorage();
  return (
    <div className="page">
      <h1>Administration</h1>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The server cannot be looked at." error={error} onRetry={() => void refetch()} />
      )}
      {isPending && error === null && <Loading what="the server" />}
      {data !== undefined && (
        <>
          <div className="admin-columns">
            <HealthSection administration={data.administration} queue={data.queue} workers={data.workers} />
            {storage !== undefined && <StorageSection storage={storage} />}
            {storage !== undefined && <TrashSection runs={storage.trashRuns} bytes={storage.trashBytes} />}
          </div>
          <UsersSection />
          <TokensSection />
          <div className="admin-columns">
            <ProjectSizes projects={data.administration.projects} />
            <TableSizes tables={data.administration.tables} />
          </div>
          <SlowWorkTable entries={data.administration.slowWork} />
          <ChangesSection version={data.administration.version} changes={data.administration.changes} />
        </>
      )}
    </div>
  );
}
