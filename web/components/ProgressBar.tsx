import { joinClasses } from '../lib/joinClasses.ts';
import './display.css';

export interface ProgressBarProps {
  /** 0 to 1. */
  fraction: number;
  /** What goes on: `Progress of run 12`. */
  label: string;
  look?: 'running' | 'done' | 'stopped';
}

export function ProgressBar({ fraction, label, look = 'running' }: ProgressBarProps) {
  const percent = Math.round(Math.min(1, Math.max(0, fraction)) * 100);
  return (
    <span className={joinClasses('progress', `progress-${look}`)}>
      <span
        className="progress-track"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        tabIndex={-1}
      >
        <span className="progress-fill" style={{ width: `${percent}%`, display: 'block' }} />
      </span>
      <span className="progress-text" aria-hidden="true">
        {percent} %
      </span>
    </span>
  );
}
