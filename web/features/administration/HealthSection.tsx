import { Link } from '@tanstack/react-router';
import type { Administration, AdminWorker } from './useAdministration.ts';
import { Facts } from '#web/components/Facts.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatCount } from '#web/lib/formatNumber.ts';

export interface HealthSectionProps {
  administration: Administration;
  queue: { backend: string; waiting: number; queued: number; running: number };
  workers: readonly AdminWorker[];
}

/** Whether the parts answer, and how quickly. */
export function HealthSection({ administration, queue, workers }: HealthSectionProps) {
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
