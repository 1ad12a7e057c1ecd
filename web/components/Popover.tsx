import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from './Button.tsx';
import './overlays.css';

export interface PopoverProps {
  /** On the button, and the panel's name. */
  label: ReactNode;
  title: string;
  /** The button's name, where its label is a picture. */
  name?: string;
  look?: ButtonProps['look'];
  children: ReactNode;
}

/** Pixels between the panel and the edge of the window. */
const EDGE = 8;

/**
 * A button that opens a panel beneath it; Escape, or the focus or a click elsewhere, closes it. A press closes it with its click,
 * not when it begins: what the page scrolls back by then would move away from under the finger.
 */
export function Popover({ label, title, name, look = 'plain', children }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return;
    let press: 'inside' | 'outside' | null = null;
    const isOutside = ({ target }: Event) => target instanceof Node && !root.current?.contains(target);
    const onPress = (event: Event) => {
      press = isOutside(event) ? 'outside' : 'inside';
    };
    const onRelease = () => {
      press = null;
    };
    const onFocus = (event: Event) => {
      if (press === null && isOutside(event)) setOpen(false);
    };
    // a press that began inside, as when text is selected, may end outside
    const onClick = () => {
      if (press === 'outside') setOpen(false);
      press = null;
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('pointerdown', onPress, { signal, capture: true });
    document.addEventListener('pointercancel', onRelease, { signal, capture: true });
    document.addEventListener('focusin', onFocus, { signal });
    document.addEventListener('click', onClick, { signal, capture: true });
    document.addEventListener('keydown', onKey, { signal });
    return () => listening.abort();
  }, [open]);
  // beside the edge of a phone, or near the end of what scrolls, a part of it would be out of sight
  useLayoutEffect(() => {
    if (!open || panel.current === null) return;
    const { left, right } = panel.current.getBoundingClientRect();
    const beyond = Math.max(0, right - document.documentElement.clientWidth + EDGE);
    const shift = Math.max(EDGE - left, -beyond);
    if (left < EDGE || beyond > 0) panel.current.style.translate = `${shift}px`;
    panel.current.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <div className="popover" ref={root}>
      <Button
        look={look}
        ref={button}
        aria-label={name}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {label}
      </Button>
      {open && (
        <section className="popover-panel" id={id} ref={panel} aria-label={title}>
          {children}
        </section>
      )}
    </div>
  );
}
