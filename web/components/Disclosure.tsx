import { type ReactNode, useState } from 'react';
import './disclosure.css';

export interface DisclosureProps {
  title: string;
  /** Beside the title: what is inside, in few words. */
  note?: ReactNode;
  /** Where the title stands among the heads of the page. */
  heading?: 'h2' | 'h3';
  /** Whether it is open at first. */
  open?: boolean;
  children: ReactNode;
}

/** A part of a page under its title; what is inside is made when it is opened. */
export function Disclosure({
  title,
  note,
  heading: Heading = 'h2',
  open: openAtFirst = false,
  children,
}: DisclosureProps) {
  const [open, setOpen] = useState(openAtFirst);
  return (
    <details className="disclosure" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Heading>{title}</Heading>
        {note !== undefined && <span className="muted">{note}</span>}
      </summary>
      {open && children}
    </details>
  );
}
