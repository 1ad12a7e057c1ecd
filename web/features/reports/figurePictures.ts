import type { RefObject } from 'react';
import type { PanelPicture } from '../workspace/panelContext.ts';

const pictures = new WeakMap<Element, RefObject<PanelPicture | null>>();

/** Keeps how the plot in an element is drawn anew, for files and printing. */
export function keepPicture(element: Element, picture: RefObject<PanelPicture | null>): void {
  pictures.set(element, picture);
}

/** How the plot in an element is drawn; null where there is none. */
export function pictureIn(element: Element): PanelPicture | null {
  return pictures.get(element)?.current ?? null;
}
