import { useSyncExternalStore } from 'react';
import { type Theme, theme } from './theme.ts';

/** Whether the page is light or dark now. */
export function useTheme(): Theme {
  return useSyncExternalStore(theme.subscribe, theme.get);
}
