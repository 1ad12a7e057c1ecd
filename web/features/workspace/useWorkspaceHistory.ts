import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { closeToastsAbout, showToast } from '#web/components/toasts.ts';
import { isTyping } from '#web/lib/isTyping.ts';

/** What toasts about changes of panels are about. */
export const PANELS = 'panels';

/** A change of the workspace, as the address writes it. */
interface Change {
  before: string | undefined;
  after: string | undefined;
}

export interface HistoryOptions {
  text: string | undefined;
  onText(text: string | undefined): void;
  /** Whether keys are heard. */
  active: boolean;
}

const MOST_CHANGES = 100;

/**
 * Remembers the changes of the workspace while the page is open: Ctrl or ⌘ and Z takes back the last one, with Shift (or Ctrl and
 * Y) it is made again. What somebody else has changed since, such as another view, is left alone.
 * @returns what writes a changed workspace.
 */
export function useWorkspaceHistory({ text, onText, active }: HistoryOptions): (text: string | undefined) => void {
  const done = useRef<Change[]>([]);
  const undone = useRef<Change[]>([]);
  const latest = useRef({ text, onText });
  useEffect(() => {
    latest.current = { text, onText };
  }, [text, onText]);
  const set = useCallback((next: string | undefined) => {
    // the address follows a moment later
    latest.current.text = next;
    latest.current.onText(next);
  }, []);
  const write = useCallback(
    (after: string | undefined) => {
      const before = latest.current.text;
      if (after === before) return;
      done.current = [...done.current, { before, after }].slice(-MOST_CHANGES);
      undone.current = [];
      set(after);
    },
    [set],
  );
  const redo = () => {
    const change = undone.current.at(-1);
    if (change === undefined || change.before !== latest.current.text) return;
    done.current.push(undone.current.pop()!);
    closeToastsAbout(PANELS);
    set(change.after);
  };
  const undo = () => {
    const change = done.current.at(-1);
    if (change === undefined || change.after !== latest.current.text) return;
    undone.current.push(done.current.pop()!);
    closeToastsAbout(PANELS);
    set(change.before);
    showToast('The last change of the panels is undone.', { about: PANELS, action: { label: 'Redo', run: redo } });
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return;
    if (event.defaultPrevented || isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
    if (key === 'y' && event.metaKey) return;
    event.preventDefault();
    if (key === 'z' && !event.shiftKey) undo();
    else redo();
  });
  useEffect(() => {
    if (!active) return;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [active]);
  return write;
}
