import { useEffect, useRef } from 'react';
import type { FilterCompletion } from './useFilterCompletion.ts';

/** What may come next in a filter, under its line. */
export function FilterSuggestions({ id, completion }: { id: string; completion: FilterCompletion }) {
  const { options, active, setActive, take } = completion;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active !== null) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div className="filter-suggestions" id={id} role="listbox" aria-label="Suggestions" ref={list} tabIndex={-1}>
      {options.map((option, index) => (
        <div
          key={option.text}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onPointerMove={() => index !== active && setActive(index)}
          // the line keeps the focus
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(option)}
          onKeyDown={() => {}}
        >
          <code>{option.text}</code>
          <span className="muted">{option.hint}</span>
        </div>
      ))}
    </div>
  );
}
