import { joinClasses } from '#web/lib/joinClasses.ts';
import './loading.css';

export interface LoadingProps {
  /** What comes, in words for those who do not see the page. */
  what: string;
  /** How many lines stand for it. */
  lines?: number;
  /** `rows`: as high as the rows of a table; `panels`: as charts. */
  look?: 'text' | 'rows' | 'panels';
}

/** Lines in the place of what comes, which then moves nothing. They are shown once it takes longer than a blink. */
export function Loading({ what, lines = 6, look = 'text' }: LoadingProps) {
  return (
    <div className={joinClasses('skeleton', `skeleton-${look}`)} role="status">
      <span className="visually-hidden">Loading {what} …</span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are all alike
        <span key={index} className="skeleton-line" aria-hidden="true" />
      ))}
    </div>
  );
}
