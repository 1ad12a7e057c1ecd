import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { endedSince, type HomeFacts } from './useHome.ts';
import { type StorageFacts, useStorage } from '#web/features/shared/useStorage.ts';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';

/** Less than this share of the disk free is said in the color of warnings. */
const LITTLE_FREE = 0.1;

/** The state of the server in six numbers, each leading to what it counts. */
export function HomeStrip({ facts, since }: { facts: HomeFacts; since: string }) {
  const { queue, workers, failed, ended } = facts;
  const filters = endedSince(since);
  const busy = workers.reduce((sum, worker) => sum + worker.runs.length, 0);
  const alive = workers.filter((worker) => worker.alive);
  const slots = alive.reduce((sum, worker) => sum + worker.slots, 0);
  return (
    <dl className="home-strip">
      <Tile name="Failed" look={failed.runCount > 0 ? 'failed' : undefined} note="since you last looked">
        <Link to="/runs" search={{ filter: filters.failed }}>
          {formatCount(failed.runCount)}
        </Link>
      </Tile>
      <Tile name="Running" look={queue.running > 0 ? 'running' : undefined} note={`${formatCount(busy)} on workers`}>
        <Link to="/runs" search={{ filter: 'state = RUNNING' }}>
          {formatCount(queue.running)}
        </Link>
      </Tile>
      <Tile name="Queued" note={waitingNote(queue)} look={queue.pauses.length > 0 ? 'warned' : undefined}>
        <Link to="/runs" search={{ filter: 'state = QUEUED' }}>
          {formatCount(queue.queued)}
        </Link>
      </Tile>
      <Tile name="Ended" note="succeeded, cancelled or pruned">
        <Link to="/runs" search={{ filter: filters.ended }}>
          {formatCount(ended.runCount)}
        </Link>
      </Tile>
      <Tile
        name="Workers"
        look={alive.length === 0 && queue.queued > 0 ? 'warned' : undefined}
        note={alive.length === 0 ? 'none is running' : `${formatCount(busy)} of ${formatCount(slots)} slots busy`}
      >
        <Link to="/workers">{formatCount(alive.length)}</Link>
      </Tile>
      <DiskTile />
    </dl>
  );
}

function waitingNote(queue: HomeFacts['queue']): string {
  if (queue.pauses.some(({ kind }) => kind === null)) return 'the queue is paused';
  if (queue.pauses.length > 0) return 'some kinds are paused';
  return queue.waiting > 0 ? `${formatCount(queue.waiting)} more wait for inputs` : 'none waits for inputs';
}

function DiskTile() {
  const { data } = useStorage();
  const free = data?.freeBytes ?? null;
  const little = free !== null && free < LITTLE_FREE * (data?.volumeBytes ?? 0);
  return (
    <Tile name="Disk" look={little || data?.problem ? 'warned' : undefined} note={diskNote(data)}>
      <Link to="/workers" title="Stored artifacts">
        {data === undefined ? '–' : formatBytes(data.bytes)}
      </Link>
    </Tile>
  );
}

function diskNote(data: StorageFacts | undefined): string {
  if (data === undefined) return 'is being measured';
  return data.freeBytes === null ? 'in a bucket' : `${formatBytes(data.freeBytes)} free`;
}

interface TileProps {
  name: string;
  note: string;
  look?: 'failed' | 'running' | 'warned' | undefined;
  children: ReactNode;
}

function Tile({ name, note, look, children }: TileProps) {
  return (
    <div className={joinClasses('panel home-tile', look !== undefined && `home-tile-${look}`)}>
      <dt>{name}</dt>
      <dd>
        <span className="home-tile-number">{children}</span>
        <span className="home-tile-note">{note}</span>
      </dd>
    </div>
  );
}
