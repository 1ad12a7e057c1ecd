import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { useQueueAndWorkers } from './useQueueAndWorkers.ts';
import { useStorage, useProjectStorage } from '#web/features/shared/useStorage.ts';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { LeftOutModules } from '../shared/LeftOutModules.tsx';
import { StorageSection } from '../shared/StorageSection.tsx';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { QueueSection } from './QueueSection.tsx';
import { WorkersSection } from './WorkersSection.tsx';
import './workers.css';

/** What the artifacts of the largest projects take, and what they may. */
function ProjectSizes() {
  const { data } = useProjectStorage();
  const taken = data?.filter(({ bytes, quotaBytes }) => bytes > 0 || quotaBytes !== null) ?? [];
  if (taken.length === 0) return null;
  return (
    <div className="table-scroll">
      <table className="table">
        <caption className="visually-hidden">Artifacts of projects, the largest first</caption>
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col" className="number">
              Files
            </th>
            <th scope="col" className="number">
              Size
            </th>
            <th scope="col" className="number">
              In the trash
            </th>
            <th scope="col" className="number">
              Quota
            </th>
          </tr>
        </thead>
        <tbody>
          {taken.map(({ name, files, bytes, trashBytes, quotaBytes }) => (
            <tr key={name}>
              <th scope="row">
                <Link to="/runs" search={{ project: name }}>
                  {name}
                </Link>
              </th>
              <td className="number">{formatCount(files)}</td>
              <td className="number">{formatBytes(bytes)}</td>
              <td className="number">{formatBytes(trashBytes)}</td>
              <td className="number">{quotaBytes === null ? '–' : formatBytes(quotaBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What waits, what runs, who works, and what is on the disk. */
export function WorkersPage() {
  useTitle('Queue and workers');
  const [stopped, setStopped] = useState(false);
  const { data, error, refetch } = useQueueAndWorkers(stopped);
  const storage = useStorage();
  return (
    <div className="page">
      <div className="page-head">
        <h1>Queue and workers</h1>
        <Link to="/admin">Administration</Link>
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The queue cannot be shown." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="queue and workers" />}
      {data !== undefined && (
        <>
          <LeftOutModules workers={data.workers.filter(({ alive }) => alive)} />
          <WorkersSection workers={data.workers} stopped={stopped} onStopped={setStopped} />
          <QueueSection queue={data.queue} />
          {storage.data !== undefined && (
            <StorageSection storage={storage.data}>
              <ProjectSizes />
            </StorageSection>
          )}
        </>
      )}
    </div>
  );
}
