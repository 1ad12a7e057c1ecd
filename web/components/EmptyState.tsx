import type { ReactNode } from 'react';
import './display.css';

/** What a page says when it has nothing to show: why, and what to do. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
