import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useState } from 'react';
import { useSearchAll } from './useSearchAll.ts';
import { Dialog } from '#web/components/Dialog.tsx';
import { useSettled } from '#web/components/useSettled.ts';
import { FIXED_GROUPS } from './fixedItems.ts';
import { foundGroups } from './foundItems.ts';
import { PaletteField } from './PaletteField.tsx';
import { eachOnce, matchingGroups, nearestFirst, type PaletteItem } from './paletteItem.ts';
import { addRecent, recentItems } from './recentItems.ts';
import './palette.css';

/** Typing is waited for this long before the server is asked. */
const TYPING_MS = 120;
/** Of where one was last, while nothing is typed. */
const MOST_RECENT = 6;

export interface CommandPaletteProps {
  /** What was typed before it was there. */
  typed: string;
  onClose(): void;
}

/** Finds pages, actions, runs, projects, sweeps and studies by a few letters; arrows choose, Enter goes. */
export function CommandPalette({ typed, onClose }: CommandPaletteProps) {
  const router = useRouter();
  const id = useId();
  const [text, setText] = useState(typed);
  const [at, setAt] = useState(0);
  const words = useDeferredValue(text.trim());
  const wanted = useSettled(text.trim(), TYPING_MS);
  const { data: found, isFetching } = useSearchAll(wanted);
  const recent = useMemo(recentItems, []);
  const groups = useMemo(() => {
    if (words === '') return eachOnce([{ title: 'Recent', items: recent.slice(0, MOST_RECENT) }, ...FIXED_GROUPS]);
    const known = matchingGroups([{ title: 'Recent', items: recent }, ...FIXED_GROUPS], words);
    return nearestFirst(eachOnce([...known, ...(wanted === '' ? [] : foundGroups(found))]), words);
  }, [words, wanted, recent, found]);
  const items = groups.flatMap((group) => group.items);
  const current = items[Math.min(at, items.length - 1)];

  const choose = (item: PaletteItem) => {
    onClose();
    addRecent(item);
    item.act?.();
    if (item.href !== undefined) router.history.push(item.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && items.length > 0) {
      event.preventDefault();
      setAt((Math.min(at, items.length - 1) + step + items.length) % items.length);
    }
    if (event.key === 'Enter' && current !== undefined && !event.nativeEvent.isComposing) {
      event.preventDefault();
      choose(current);
    }
  };
  useEffect(() => {
    if (current !== undefined) document.getElementById(optionId(id, current))?.scrollIntoView({ block: 'nearest' });
  }, [current, id]);

  return (
    <Dialog title="Find" look="palette" onClose={onClose}>
      <PaletteField
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={current === undefined ? undefined : optionId(id, current)}
        aria-autocomplete="list"
        text={text}
        onText={(typed) => {
          setText(typed);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="palette-list" id={`${id}-list`} role="listbox" aria-label="Found" tabIndex={-1}>
        {groups.map((group, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox has groups of options
          <div key={group.title} role="group" aria-labelledby={`${id}-group-${index}`}>
            <div className="palette-group" id={`${id}-group-${index}`}>
              {group.title}
            </div>
            {group.items.map((item) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the field above
              <div
                key={item.id}
                id={optionId(id, item)}
                role="option"
                tabIndex={-1}
                aria-selected={item === current}
                className="palette-option"
                onClick={() => choose(item)}
                onPointerMove={() => item !== current && setAt(items.indexOf(item))}
              >
                <span className="palette-label">{item.label}</span>
                <span className="palette-hint">{item.hint}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className="palette-foot" aria-live="polite">
        {items.length > 0 ? (
          <>
            <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> go, <kbd>Esc</kbd> close; <kbd>?</kbd> on any page lists
            all keys
          </>
        ) : isFetching || wanted !== text.trim() ? (
          'Looking …'
        ) : (
          'Nothing has all these words.'
        )}
      </p>
    </Dialog>
  );
}

function optionId(id: string, item: PaletteItem): string {
  return `${id}-${item.id.replaceAll(/[^\w-]/g, '_')}`;
}
