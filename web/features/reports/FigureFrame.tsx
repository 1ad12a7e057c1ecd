import type { ReactNode } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';

export interface FigureFrameProps {
  title: string | null;
  /** Whether something is still on its way. */
  pending: boolean;
  error: unknown;
  /** What the block is, for who hears the page. */
  name: string;
  children: ReactNode;
}

/** A live block in the text, with its title; what is wrong with it stands in its place. */
export function FigureFrame({ title, pending, error, name, children }: FigureFrameProps) {
  const failed = error !== null && !isNetworkError(error);
  return (
    <figure className="report-figure" aria-label={title ?? name} data-pending={pending && !failed ? '' : undefined}>
      {title !== null && <figcaption>{title}</figcaption>}
      {failed ? <BlockProblem problem={coerceError(error).message} /> : children}
    </figure>
  );
}

/** Why a block shows nothing. */
export function BlockProblem({ problem }: { problem: string }) {
  return (
    <div className="report-problem" role="note">
      <strong>This cannot be shown.</strong> <span>{problem}</span>
    </div>
  );
}
