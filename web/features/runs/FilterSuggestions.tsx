import { type CSSProperties, useEffect, useRef } from 'react';
import type { CompletionOption } from './filterCompletion.ts';
import './filter.css';

export interface FilterSuggestionsProps {
  id: string;
  completion: {
    options: readonly CompletionOption[];
    active: number | null;
    setActive(active: number): void;
    take(option: CompletionOption): void;
  };
  /** Where it stands; left out: under the line. */
  style?: CSSProperties;
}

/** What may come next in a filter or a citation. */
export function FilterSuggestions({ id, completion, style }: FilterSuggestionsProps) {
  const { options, active, setActive, take } = completion;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active !== null) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      className="filter-suggestions"
      id={id}
      role="listbox"
      aria-label="Suggestions"
      ref={list}
      tabIndex={-1}
      style={style}
    >
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
