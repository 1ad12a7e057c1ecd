import { useEffect, useState } from 'react';

/** A text once it has not changed for some time; an empty one at once. */
export function useSettled(text: string, waitMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : waitMs);
    return () => clearTimeout(timer);
  }, [text, waitMs]);
  return settled;
}
