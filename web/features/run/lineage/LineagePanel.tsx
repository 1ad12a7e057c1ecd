import { useMemo, type ReactNode } from 'react';
import { type Lineage, useLineage } from '#web/features/run/useLineage.ts';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { isLive } from '#web/lib/runStates.ts';
import { BOX, type LineageBox, lineageLayout } from './lineageLayout.ts';
import { Link } from '@tanstack/react-router';
import { assertNever } from '#src/base/lib/assertNever.ts';
import './lineage.css';

interface LineageNodeLinkProps {
  node: Lineage['nodes'][number];
  title: string;
  children: ReactNode;
}

/** Leads to the page of something in a lineage; of what has none it is text. */
function LineageNodeLink({ node: { type, reference }, title, children }: LineageNodeLinkProps) {
  const shared = { className: 'lineage-link', title, children };
  if (reference === '') return <span {...shared} />;
  switch (type) {
    case 'RUN':
      return <Link to="/runs/$runId" params={{ runId: reference }} search={{ tab: 'lineage' }} {...shared} />;
    case 'VERSION':
      return <Link to="/models/$name" params={{ name: reference }} {...shared} />;
    case 'DATASET':
      return <Link to="/datasets/$" params={{ _splat: reference }} {...shared} />;
    case 'SWEEP':
      return <Link to="/sweeps/$sweepId" params={{ sweepId: reference }} {...shared} />;
    case 'STUDY':
      return <Link to="/reproductions/$" params={{ _splat: reference }} {...shared} />;
    case 'DECISION':
      return <Link to="/decisions/$decisionId" params={{ decisionId: reference }} {...shared} />;
    default:
      return assertNever(type);
  }
}

/** What the run was made from and what was made from it, two steps both ways: a list in columns with the lines between. */
export function LineagePanel({ run }: { run: RunDetail }) {
  const { data, error, refetch } = useLineage(run.id, isLive(run.state));
  const layout = useMemo(() => (data === undefined ? null : lineageLayout(data)), [data]);
  if (error !== null && data === undefined) {
    return <ErrorNotice title="The lineage cannot be shown." error={error} onRetry={() => void refetch()} />;
  }
  if (layout === null) return <Loading what="lineage" />;
  if (layout.columns.length === 1) {
    return (
      <EmptyState title="Nothing before it, nothing after it">
        <p>Inputs, registered versions, forks, data, sweeps and studies would stand here.</p>
      </EmptyState>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="panel lineage" aria-label="Lineage" tabIndex={0}>
      <div className="lineage-graph" style={{ width: layout.width, height: layout.height }}>
        <svg className="lineage-lines" width={layout.width} height={layout.height} aria-hidden="true">
          {layout.lines.map(({ id, from: [x, y], to: [u, v] }) => {
            const bend = Math.max(24, Math.abs(u - x) / 2);
            return <path key={id} d={`M${x} ${y}C${x + bend} ${y} ${u - bend} ${v} ${u} ${v}`} />;
          })}
        </svg>
        {layout.columns.map(({ distance, boxes }) => (
          <ul key={distance} className="plain-list" aria-label={DISTANCES[distance]}>
            {boxes.map((box) => (
              <li
                key={box.id}
                className="lineage-box"
                style={{ left: box.x, top: box.y, width: BOX.width, height: BOX.height }}
                aria-current={distance === 0 && box.node !== null ? 'true' : undefined}
              >
                <Box box={box} />
              </li>
            ))}
          </ul>
        ))}
      </div>
    </section>
  );
}

const DISTANCES: Readonly<Record<number, string>> = {
  [-3]: 'Earlier still',
  [-2]: 'Two steps before',
  [-1]: 'One step before',
  0: 'This run',
  1: 'One step after',
  2: 'Two steps after',
  3: 'Later still',
};

const TYPES: Readonly<Record<Lineage['nodes'][number]['type'], string>> = {
  RUN: 'run',
  VERSION: 'version',
  DATASET: 'data',
  SWEEP: 'sweep',
  STUDY: 'study',
  DECISION: 'adaptive comparison',
};

function Box({ box: { node, more, passed } }: { box: LineageBox }) {
  if (node === null) return <span className="lineage-link muted">and {formatCount(more)} more</span>;
  const name = node.type === 'RUN' ? `#${node.reference} ${node.label}` : node.label;
  const notes = [node.type === 'RUN' ? '' : TYPES[node.type], node.detail, passed].filter((note) => note !== '');
  return (
    <LineageNodeLink node={node} title={[name, ...notes].join(', ')}>
      <span className="lineage-name">{name}</span>
      <span className="lineage-notes">
        {node.state !== null && <StateBadge state={node.state} />} {notes.join(', ')}
      </span>
    </LineageNodeLink>
  );
}
