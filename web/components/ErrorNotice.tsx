import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import './display.css';

export interface ErrorNoticeProps {
  title: string;
  error: unknown;
  onRetry?: () => void;
  children?: ReactNode;
}

/** An error in the page's flow, said aloud when it comes. */
export function ErrorNotice({ title, error, onRetry, children }: ErrorNoticeProps) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div className="notice notice-error" role="alert">
      <strong>{title}</strong>
      <span>{message}</span>
      {children}
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
