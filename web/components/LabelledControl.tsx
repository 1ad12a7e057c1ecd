import { type ReactNode, useId } from 'react';
import { joinClasses } from '../lib/joinClasses.ts';

/** What ties a control to its label, its hint and what is wrong with it. */
export interface ControlTies {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

export interface LabelledControlProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong with its value. */
  error?: string | null | undefined;
  /** Whether the error is told as soon as it is there. */
  alerts?: boolean;
  /** The control, with what ties it. */
  children(ties: ControlTies): ReactNode;
}

/** A control whose value may be wrong, with its label above, its hint and the error below. */
export function LabelledControl({ label, hint, error = null, alerts = false, children }: LabelledControlProps) {
  const id = useId();
  const described = joinClasses(hint !== undefined && `${id}-hint`, error !== null && `${id}-error`);
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-invalid': error !== null, 'aria-describedby': described === '' ? undefined : described })}
      {hint !== undefined && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error !== null && (
        <span className="field-error" id={`${id}-error`} role={alerts ? 'alert' : undefined}>
          {error}
        </span>
      )}
    </div>
  );
}
