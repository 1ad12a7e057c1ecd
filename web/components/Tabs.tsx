import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import './display.css';

export interface Tab<Name extends string> {
  name: Name;
  label: string;
}

export interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly Tab<Name>[];
  current: Name;
  onChange(name: Name): void;
  /** The panel of the current tab. */
  children: ReactNode;
}

const MOVES: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

/** Tabs after the ARIA pattern: arrow keys, Home and End move and choose. */
export function Tabs<Name extends string>({ label, tabs, current, onChange, children }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = tabs.findIndex((tab) => tab.name === current);
    const next = MOVES[event.key]?.(index, tabs.length);
    const chosen = next === undefined ? undefined : tabs[next];
    if (chosen === undefined) return;
    event.preventDefault();
    onChange(chosen.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${chosen.name}"]`)?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown} tabIndex={-1}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            className="tab"
            id={`${id}-${tab.name}`}
            data-tab={tab.name}
            aria-selected={tab.name === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab.name === current ? 0 : -1}
            onClick={() => onChange(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}
