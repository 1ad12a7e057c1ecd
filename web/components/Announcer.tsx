import { useEffect, useRef, useState } from 'react';

export interface AnnouncerProps {
  /** Said aloud when it changes, but not when it first appears. */
  text: string;
}

/** A polite live region for what changes by itself, such as the state of the run in view. */
export function Announcer({ text }: AnnouncerProps) {
  const first = useRef(text);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (text === first.current) return;
    first.current = '';
    setSaid(text);
  }, [text]);
  return (
    <div className="visually-hidden" aria-live="polite">
      {said}
    </div>
  );
}
