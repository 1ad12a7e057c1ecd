import type { ComponentProps } from 'react';
import { joinClasses } from '../lib/joinClasses.ts';
import './controls.css';

export interface ButtonProps extends ComponentProps<'button'> {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** Square, for an icon with an `aria-label`. */
  icon?: boolean;
}

export function Button({ look = 'plain', icon = false, className, type = 'button', ...rest }: ButtonProps) {
  const classes = joinClasses('button', look !== 'plain' && `button-${look}`, icon && 'button-icon', className);
  return <button type={type} className={classes} {...rest} />;
}
