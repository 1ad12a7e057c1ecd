import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import './floatingMenu.css';

export interface MenuEntry {
  label: string;
  run(): void;
  /** It may be wanted again: the menu stays open. */
  stays?: boolean;
  disabled?: boolean;
}

export interface FloatingMenuProps {
  label: string;
  /** Where its upper left corner should be, in pixels of the window; it moves to stay in sight. */
  at: { x: number; y: number };
  entries: readonly MenuEntry[];
  /** Gets the focus back. */
  from: HTMLElement | null;
  onClose(): void;
}

const WIDTH = 210;
const MARGIN = 8;

/** A menu over everything else on the page. Arrow keys choose, Escape and a press elsewhere close it. */
export function FloatingMenu({ label, at, entries, from, onClose }: FloatingMenuProps) {
  const root = useRef<HTMLDivElement>(null);
  const { x, y } = at;
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    element.style.left = `${Math.max(MARGIN, Math.min(x, window.innerWidth - WIDTH - MARGIN))}px`;
    element.style.top = `${y}px`;
    element.showPopover();
    const lowest = window.innerHeight - element.offsetHeight - MARGIN;
    if (y > lowest) element.style.top = `${Math.max(MARGIN, lowest)}px`;
    element.querySelector('button')?.focus();
    return () => {
      // what it was opened from may be drawn anew elsewhere by now
      if (element.contains(document.activeElement)) from?.focus();
    };
  }, [x, y, from]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const items = [...event.currentTarget.querySelectorAll('button')];
    const place = items.findIndex((item) => item.matches(':focus'));
    const wanted = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: items.length - 1 }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    items.at(wanted % items.length)?.focus();
  };
  return (
    <div
      ref={root}
      popover="auto"
      className="floating-menu"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      {entries.map((entry) => (
        <button
          key={entry.label}
          type="button"
          role="menuitem"
          title={entry.label}
          aria-disabled={entry.disabled === true}
          onClick={() => {
            if (entry.disabled === true) return;
            entry.run();
            if (entry.stays !== true) root.current?.hidePopover();
          }}
        >
          {entry.label}
        </button>
      ))}
    </div>
  );
}
