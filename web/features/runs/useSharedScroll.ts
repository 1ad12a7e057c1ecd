import type { Virtualizer } from '@tanstack/react-virtual';
import { useMemo } from 'react';
import { flushSync } from 'react-dom';

/** Options of virtualizers that watch the same element. */
export interface SharedScroll {
  useFlushSync: false;
  observeElementOffset(virtualizer: Virtualizer<HTMLElement, Element>, onOffset: OnOffset): (() => void) | undefined;
}

type OnOffset = (offset: number, isScrolling: boolean) => void;

/** Standing still for so long is the end of scrolling. */
const STILL_MS = 150;

/**
 * Tells the virtualizers of rows and columns of each scroll together: the place is read once, before anything changes, and the
 * page is drawn once. Each by itself would have the page laid out between the two.
 */
export function useSharedScroll(): SharedScroll {
  return useMemo(() => {
    const watching = new Map<OnOffset, boolean>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = (element: HTMLElement, isScrolling: boolean) => {
      const { scrollLeft, scrollTop } = element;
      flushSync(() => {
        for (const [onOffset, isAcross] of watching) onOffset(isAcross ? scrollLeft : scrollTop, isScrolling);
      });
    };
    const onScroll = (event: Event) => {
      const element = event.currentTarget as HTMLElement;
      clearTimeout(timer);
      timer = setTimeout(() => tell(element, false), STILL_MS);
      tell(element, true);
    };
    return {
      useFlushSync: false,
      observeElementOffset({ scrollElement, options }, onOffset) {
        if (scrollElement === null) return undefined;
        if (watching.size === 0) scrollElement.addEventListener('scroll', onScroll, { passive: true });
        watching.set(onOffset, options.horizontal);
        return () => {
          watching.delete(onOffset);
          if (watching.size > 0) return;
          clearTimeout(timer);
          scrollElement.removeEventListener('scroll', onScroll);
        };
      },
    };
  }, []);
}
