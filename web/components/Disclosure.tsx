import { type ReactNode, useState } from 'react';
import './disclosure.css';

export interface DisclosureProps {
  title: string;
  /** Beside the title: what is inside, in few words. */
  note?: ReactNode;
  /** Whether it is open at first. */
  open?: boolean;
  children: ReactNode;
}

/** A part of a page under its title; what is inside is made when it is opened. */
export function Disclosure({ title, note, open: openAtFirst = false, children }: DisclosureProps) {
  const [open, setOpen] = useState(openAtFirst);
  return (
    <details className="disclosure" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
        {note !== undefined && <span className="muted">{note}</span>}
      </summary>
      {open && children}
    </details>
  );
}
