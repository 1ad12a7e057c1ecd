import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Administration } from './useAdministration.ts';
import { useProjectStorage } from '#web/features/shared/useStorage.ts';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatCount } from '#web/lib/formatNumber.ts';

/** What each project takes, and what its artifacts may. */
export function ProjectSizes({ projects }: { projects: Administration['projects'] }) {
  const { data: storage = [] } = useProjectStorage();
  const quotas = new Map(storage.map(({ name, quotaBytes }) => [name, quotaBytes]));
  return (
    <SizeTable title="Projects by size" heads={['Project', 'Artifacts', 'Quota', 'Points', 'Runs', 'In the trash']}>
      {projects.map(({ name, artifactBytes, points, runs, trashRuns }) => (
        <tr key={name}>
          <th scope="row">
            <Link to="/runs" search={{ project: name }}>
              {name}
            </Link>
          </th>
          <td className="number">{formatBytes(artifactBytes)}</td>
          <td className="number">{quotaText(quotas.get(name) ?? null)}</td>
          <td className="number">{formatCount(points)}</td>
          <td className="number">{formatCount(runs)}</td>
          <td className="number">{formatCount(trashRuns)}</td>
        </tr>
      ))}
    </SizeTable>
  );
}

function quotaText(bytes: number | null): string {
  return bytes === null ? '–' : formatBytes(bytes);
}

/** What the largest tables of the database take. */
export function TableSizes({ tables }: { tables: Administration['tables'] }) {
  return (
    <SizeTable title="Largest tables" heads={['Table', 'On disk', 'Rows, about']}>
      {tables.map(({ name, bytes, rows }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
          </th>
          <td className="number">{formatBytes(bytes)}</td>
          <td className="number">{formatCount(rows)}</td>
        </tr>
      ))}
    </SizeTable>
  );
}

/** The last operations and statements that took long. */
export function SlowWorkTable({ entries }: { entries: Administration['slowWork'] }) {
  if (entries.length === 0) {
    return (
      <section className="panel" aria-labelledby="slow-title">
        <div className="panel-head">
          <h2 id="slow-title">Slow work</h2>
          <span className="muted">nothing since this API process was started</span>
        </div>
      </section>
    );
  }
  return (
    <SizeTable title="Slow work" heads={['Work', 'Seconds', 'When']}>
      {entries.map(({ sort, what, milliseconds, time }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be alike, and the list is read anew as a whole
        <tr key={`${time} ${index}`}>
          <th scope="row" className="admin-work">
            {sort === 'statement' ? 'statement ' : 'operation '}
            <code>{what}</code>
          </th>
          <td className="number">{(milliseconds / 1000).toFixed(1)}</td>
          <td className="number">
            <TimeText time={time} />
          </td>
        </tr>
      ))}
    </SizeTable>
  );
}

function SizeTable({ title, heads, children }: { title: string; heads: readonly string[]; children: ReactNode }) {
  return (
    <section
      className="panel table-scroll admin-sizes"
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <div className="panel-head">
        <h2>{title}</h2>
      </div>
      <table className="table">
        <thead>
          <tr>
            {heads.map((head, place) => (
              <th key={head} scope="col" className={place === 0 ? undefined : 'number'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
