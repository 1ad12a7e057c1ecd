import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react';
import { compareHeadlines } from '#src/base/lib/headlineMetrics.ts';
import { useFirstRuns } from '#web/features/runs/useFirstRuns.ts';
import { useRunColumns } from '#web/features/projects/useProjects.ts';
import { type CitationOption, citationOptions, citationPlace, withCitation } from './citationCompletion.ts';

interface At {
  caret: number;
  /** Where the caret stands in the field, in pixels. */
  left: number;
  top: number;
}

const NONE: readonly CitationOption[] = [];
const NO_METRICS: readonly string[] = [];

/** What completes a citation in the text of a report where the caret stands: arrows, Enter, Tab, Escape as in the filter. */
export function useCitationCompletion(
  area: RefObject<HTMLTextAreaElement | null>,
  { project, text, setText }: { project: string | null; text: string; setText(text: string): void },
) {
  const [at, setAt] = useState<At | null>(null);
  const [active, setActive] = useState<number>(0);
  const { data: columns } = useRunColumns(project);
  const place = useMemo(() => (at === null ? null : citationPlace(text, Math.min(at.caret, text.length))), [text, at]);
  const isRun = place?.part === 'run';
  const runs = useFirstRuns({ project, filter: '', inTrash: false, metrics: NO_METRICS, enabled: isRun });
  const options = useMemo(() => {
    if (place === null) return NONE;
    const metrics = [...(columns?.metrics ?? [])].sort(compareHeadlines(null));
    return citationOptions(place, { metrics, runs: runs ?? [] });
  }, [place, columns, runs]);
  const onTyped = () => {
    const element = area.current;
    setActive(0);
    setAt(element === null ? null : { caret: element.selectionStart, ...caretPlace(element) });
  };
  const close = () => setAt(null);
  const take = ({ text: chosen }: CitationOption) => {
    if (place === null) return;
    const next = withCitation(text, place, chosen);
    if (area.current !== null) {
      area.current.value = next.text;
      area.current.setSelectionRange(next.caret, next.caret);
    }
    setText(next.text);
    close();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const chosen = options[active];
    if (chosen === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setActive((active + (event.key === 'ArrowDown' ? 1 : -1) + options.length) % options.length);
    } else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'Tab') take(chosen);
    else return;
    event.preventDefault();
  };
  return { options, active, setActive, take, onTyped, close, onKeyDown, left: at?.left ?? 0, top: at?.top ?? 0 };
}

const COPIED = ['font', 'padding', 'border', 'boxSizing', 'lineHeight', 'letterSpacing', 'tabSize'] as const;

/** Where the line beneath the caret begins, in pixels of the field: measured in a copy of it. */
function caretPlace(element: HTMLTextAreaElement): { left: number; top: number } {
  const copy = document.createElement('div');
  const style = getComputedStyle(element);
  for (const name of COPIED) copy.style[name] = style[name];
  Object.assign(copy.style, {
    ...{ position: 'absolute', visibility: 'hidden', width: `${element.clientWidth}px`, height: 'auto' },
    ...{ whiteSpace: 'pre-wrap', overflowWrap: 'break-word' },
  });
  copy.textContent = element.value.slice(0, element.selectionStart);
  const mark = document.createElement('span');
  mark.textContent = '\u200b';
  copy.append(mark);
  document.body.append(copy);
  const place = { left: mark.offsetLeft, top: mark.offsetTop + mark.offsetHeight - element.scrollTop };
  copy.remove();
  return place;
}
