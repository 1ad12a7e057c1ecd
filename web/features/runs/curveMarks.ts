import { type PointerEvent, type RefObject, useEffect, useMemo } from 'react';
import type { SeriesStyle } from '#web/charts/seriesStyle.ts';
import type { Store } from '#web/lib/store.ts';
import type { CurveAct } from '../shared/CurveToggle.tsx';

/** Whose curve a row of the table has, how it is drawn, and whether it is hidden. */
export interface CurveMark {
  subject: string;
  style: SeriesStyle;
  isHidden: boolean;
}

/** For each run or group of the table that has a curve beside it. */
export type CurveMarks = ReadonlyMap<string, CurveMark>;

/** Does something with a subject's curve. */
export type ActOnCurve = (subject: string, act: CurveAct) => void;

export const NO_MARKS: CurveMarks = new Map();

/** Lights the rows of the curve that is looked at, and answers what makes the row under the pointer light its curve. */
export function useLitRows(root: RefObject<HTMLElement | null>, lit: Store<string | null>, marks: CurveMarks) {
  useEffect(() => {
    const show = () => {
      const id = lit.get();
      // the rows are not drawn anew for it: this happens at each move of the pointer
      for (const row of root.current?.querySelectorAll('tr[data-lit]') ?? []) row.removeAttribute('data-lit');
      if (id === null) return;
      for (const row of root.current?.querySelectorAll<HTMLElement>('tr[data-run]') ?? []) {
        if (marks.get(row.dataset.run ?? '')?.subject === id) row.setAttribute('data-lit', '');
      }
    };
    return lit.subscribe(show);
  }, [root, lit, marks]);
  return useMemo(
    () => ({
      onPointerOver: ({ target }: PointerEvent<HTMLElement>) => {
        const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-run]') : null;
        lit.set(marks.get(row?.dataset.run ?? '')?.subject ?? null);
      },
      onPointerLeave: () => lit.set(null),
    }),
    [lit, marks],
  );
}

/** Lights the row of the group that is looked at. */
export function useLitGroups(root: RefObject<HTMLElement | null>, lit: Store<string | null>) {
  useEffect(
    () =>
      lit.subscribe(() => {
        const id = lit.get();
        for (const row of root.current?.querySelectorAll<HTMLElement>('tr[data-subject]') ?? []) {
          row.toggleAttribute('data-lit', row.dataset.subject === id);
        }
      }),
    [root, lit],
  );
}
