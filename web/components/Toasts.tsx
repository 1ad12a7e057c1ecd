import { useSyncExternalStore } from 'react';
import { joinClasses } from '../lib/joinClasses.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { closeToast, toasts } from './toasts.ts';
import './overlays.css';

/** Where messages appear; a live region, so that they are said aloud too. */
export function Toasts() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className={joinClasses('toast', toast.error && 'toast-error')}>
          <span className="toast-text">{toast.text}</span>
          {toast.action !== null && (
            <Button
              look="quiet"
              onClick={() => {
                toast.action?.run();
                closeToast(toast.id);
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <Button look="quiet" icon aria-label="Close message" onClick={() => closeToast(toast.id)}>
            <Icon name="close" size={12} />
          </Button>
        </div>
      ))}
    </div>
  );
}
