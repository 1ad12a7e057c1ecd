import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { joinClasses } from '../lib/joinClasses.ts';
import './overlays.css';

export interface DialogProps {
  title: string;
  onClose(): void;
  /** `palette`: near the top, without a heading to be seen; a click beside it closes it. `full`: as large as the window. */
  look?: 'plain' | 'palette' | 'full';
  children: ReactNode;
}

/** A modal dialog, shown while it is rendered: the focus stays inside, and goes back afterwards. */
export function Dialog({ title, onClose, look = 'plain', children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
      // what opened it may be gone, or disabled by what it did
      if (document.activeElement !== before) document.getElementById('main')?.focus({ preventScroll: true });
    };
  }, []);
  const palette = look === 'palette';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      className={joinClasses('dialog', look !== 'plain' && `dialog-${look}`)}
      onClick={(event) => palette && event.target === dialog.current && onClose()}
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-body">
        <h2 id={titleId} className={palette ? 'visually-hidden' : undefined}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
