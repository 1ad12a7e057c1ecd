import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react';
import { compareHeadlines } from '#src/base/lib/headlineMetrics.ts';
import { useFieldValues } from './useFieldValues.ts';
import { useRunColumns } from '#web/features/projects/useProjects.ts';
import {
  type CompletionOption,
  completionOptions,
  type CompletionPlace,
  completionPlace,
  lookedUpField,
} from './filterCompletion.ts';

export interface FilterCompletion {
  /** What is offered now; empty where nothing is. */
  options: readonly CompletionOption[];
  /** Which of them Enter takes; null: none yet. */
  active: number | null;
  setActive(active: number): void;
  take(option: CompletionOption): void;
  /** Looks again at where the caret stands, after something was typed. */
  onTyped(): void;
  close(): void;
  /** Arrows, Enter, Tab and Escape while something is offered; Ctrl and the space bar offer. */
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
}

/** What completes the filter in a field where the caret stands: fields, operators, and values that runs of the project have. */
export function useFilterCompletion(
  input: RefObject<HTMLInputElement | null>,
  { project, text, setText }: { project: string | null; text: string; setText(text: string): void },
): FilterCompletion {
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState<number | null>(null);
  const { data: columns } = useRunColumns(project);
  const place = useMemo(
    () => (caret === null ? null : completionPlace(text, Math.min(caret, text.length))),
    [text, caret],
  );
  const values = useFieldValues({ project, field: place === null ? null : lookedUpField(place) });
  const options = useMemo(() => {
    if (place === null) return NONE;
    const { varying = [], configuration = [], metrics = [], texts = [] } = columns ?? {};
    return completionOptions(
      place,
      {
        paths: [...new Set([...varying, ...configuration])],
        metrics: [...metrics].sort(compareHeadlines(null)),
        texts,
      },
      values ?? [],
    );
  }, [place, columns, values]);
  const open = () => {
    setCaret(input.current?.selectionStart ?? null);
    setActive(null);
  };
  const close = () => setCaret(null);
  const take = ({ text: chosen }: CompletionOption) => {
    if (place === null) return;
    const next = withChosen(text, place, chosen);
    // at once: what is typed next must not come before the caret has moved
    if (input.current !== null) {
      input.current.value = next.text;
      input.current.setSelectionRange(next.caret, next.caret);
    }
    setText(next.text);
    setCaret(next.caret);
    setActive(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const isAsked = event.key === ' ' && event.ctrlKey;
    if (isAsked || (event.key === 'ArrowDown' && options.length === 0)) {
      event.preventDefault();
      return open();
    }
    if (options.length === 0) return;
    const chosen = active === null ? undefined : options[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive(
        active === null ? (step === 1 ? 0 : options.length - 1) : (active + step + options.length) % options.length,
      );
    } else if (event.key === 'Escape') {
      event.preventDefault();
      close();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) {
      event.preventDefault();
      take(chosen);
    }
  };
  return { options, active, setActive, take, onTyped: open, close, onKeyDown };
}

const NONE: readonly CompletionOption[] = [];

/** The filter with what was chosen at its place, and a blank behind it. */
function withChosen(text: string, { from, to }: CompletionPlace, chosen: string): { text: string; caret: number } {
  const rest = text.slice(to);
  const before = chosen === ',' || chosen === ')' ? text.slice(0, from).trimEnd() : text.slice(0, from);
  const until = `${before}${chosen} `;
  return { text: `${until}${rest.trimStart()}`, caret: until.length };
}
