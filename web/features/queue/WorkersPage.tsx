import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { useQueueAndWorkers } from './useQueueAndWorkers.ts';
import { useStorage } from '#web/features/shared/useStorage.ts';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { LeftOutModules } from '../shared/LeftOutModules.tsx';
import { StorageSection } from '../shared/StorageSection.tsx';
import { ProjectSizes } from './ProjectSizes.tsx';
import { QueueSection } from './QueueSection.tsx';
import { WorkersSection } from './WorkersSection.tsx';
import './workers.css';

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
