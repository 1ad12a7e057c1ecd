import type { ReactNode } from 'react';
import { joinClasses } from '../lib/joinClasses.ts';

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  className?: string;
  /** The control. */
  children: ReactNode;
}

/** A control with its label above and a hint below. */
export function Field({ label, hint, className, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
    <label className={joinClasses('field', className)}>
      <span className="field-label">{label}</span>
      {children}
      {hint !== undefined && <span className="field-hint">{hint}</span>}
    </label>
  );
}
