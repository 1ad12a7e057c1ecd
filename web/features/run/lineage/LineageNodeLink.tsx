import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Lineage } from '#web/features/run/useLineage.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';

export interface LineageNodeLinkProps {
  node: Lineage['nodes'][number];
  title: string;
  children: ReactNode;
}

/** Leads to the page of something in a lineage; of what has none it is text. */
export function LineageNodeLink({ node: { type, reference }, title, children }: LineageNodeLinkProps) {
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
