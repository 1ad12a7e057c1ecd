import { createStore } from '../lib/store.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';
export type Theme = 'light' | 'dark';

const KEY = 'warren.theme';
const darkWished = window.matchMedia('(prefers-color-scheme: dark)');

/** What the user chose. */
export const themeChoice = createStore<ThemeChoice>(readChoice());
/** What is shown: the choice, or what the system wishes. */
export const theme = createStore<Theme>(resolve());

/** Puts the theme on the page and keeps it right when the system's wish changes. */
export function startTheme(): void {
  apply();
  darkWished.addEventListener('change', apply);
}

export function chooseTheme(choice: ThemeChoice): void {
  themeChoice.set(choice);
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // A browser that keeps nothing still shows the theme until the page closes.
  }
  apply();
}

function apply(): void {
  document.documentElement.dataset.theme = resolve();
  theme.set(resolve());
}

function resolve(): Theme {
  const choice = themeChoice.get();
  if (choice !== 'system') return choice;
  return darkWished.matches ? 'dark' : 'light';
}

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}
