import {
  type CSSProperties,
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
} from 'react';
import { Icon } from '#web/components/Icon.tsx';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { UNSORTABLE } from './columnChoice.ts';
import { columnTitle } from './columnTitle.ts';
import type { Sort } from './SortableHead.tsx';

export interface ColumnHeadProps {
  column: string;
  /** Its place among all columns of the table, from 1. */
  place: number;
  sort: Sort;
  /** Its cells stand at the right. */
  isNumber: boolean;
  shaded: boolean;
  /** The edge at which a dragged column would be dropped. */
  drop: 'before' | 'after' | null;
  dragged: boolean;
  style?: CSSProperties;
  onMenu(column: string, button: HTMLElement): void;
  /** Steps to the right; below 0 to the left. */
  onMove(column: string, steps: number): void;
  /** While the edge is dragged, and at its end; null: the usual width. */
  onResize(column: string, width: number | null, done: boolean): void;
  widthOf(column: string): number;
  onPointerDown(event: PointerEvent<HTMLElement>, column: string): void;
  wasDragged: RefObject<boolean>;
}

const WIDTH_STEP = 20;

/** A column's head: sorts when pressed, moves when dragged, is resized at its edge, and has a menu with all that and more. */
export function ColumnHead(props: ColumnHeadProps) {
  const { column, place, sort, isNumber, shaded, drop, dragged, style, onMenu, onMove, onResize, widthOf, wasDragged } =
    props;
  const title = columnTitle(column);
  const active = sort.order === column;
  const next = active ? (sort.direction === 'DESC' ? 'ASC' : 'DESC') : 'DESC';
  const press = (event: MouseEvent) => {
    if (wasDragged.current) event.preventDefault();
    else if (!UNSORTABLE.has(column) && !column.startsWith('curve.')) sort.onSort(column, next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const steps = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (steps === 0 || !(event.altKey || event.shiftKey)) return;
    event.preventDefault();
    if (event.altKey) onMove(column, steps);
    else onResize(column, widthOf(column) + steps * WIDTH_STEP, true);
  };
  return (
    <th
      scope="col"
      data-column={column}
      aria-colindex={place}
      aria-label={title}
      className={joinClasses(
        'runs-head',
        isNumber && 'number',
        style !== undefined && 'runs-pinned',
        shaded && 'runs-shaded',
        drop !== null && `runs-drop-${drop}`,
        dragged && 'runs-dragged',
      )}
      style={style}
      title={title}
      aria-sort={active ? (sort.direction === 'ASC' ? 'ascending' : 'descending') : undefined}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => props.onPointerDown(event, column)}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(column, event.currentTarget);
      }}
    >
      <span className="runs-head-line">
        <button
          type="button"
          className="runs-sort"
          tabIndex={-1}
          aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight Shift+ArrowLeft Shift+ArrowRight"
          onClick={press}
        >
          <span className="runs-clip">
            {title.split(/(?<=\/)/).map((part, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
              <Fragment key={at}>
                {at > 0 && <wbr />}
                {part}
              </Fragment>
            ))}
          </span>
          {active && <Icon name={sort.direction === 'ASC' ? 'ascending' : 'descending'} size={11} />}
        </button>
        <button
          type="button"
          className="runs-menu-button"
          tabIndex={-1}
          aria-label={`Column ${title}`}
          aria-haspopup="menu"
          onPointerDown={(event) => event.stopPropagation()}
          onClick={(event) => onMenu(column, event.currentTarget)}
        >
          <span aria-hidden="true">⋮</span>
        </button>
      </span>
      <span
        className="runs-edge"
        aria-hidden="true"
        onPointerDown={(event) => resize(event, column, props)}
        onDoubleClick={() => onResize(column, null, true)}
      />
    </th>
  );
}

/** Follows the pointer from a column's edge until it is let go. */
function resize(event: PointerEvent<HTMLElement>, column: string, { widthOf, onResize }: ColumnHeadProps): void {
  event.stopPropagation();
  event.preventDefault();
  const edge = event.currentTarget;
  const { clientX: start, pointerId } = event;
  const width = widthOf(column);
  edge.setPointerCapture(pointerId);
  let moved = false;
  const onPointerMove = (at: globalThis.PointerEvent) => {
    moved = true;
    onResize(column, width + at.clientX - start, false);
  };
  const onPointerUp = (at: globalThis.PointerEvent) => {
    edge.removeEventListener('pointermove', onPointerMove);
    edge.removeEventListener('pointerup', onPointerUp);
    if (moved) onResize(column, width + at.clientX - start, true);
  };
  edge.addEventListener('pointermove', onPointerMove);
  edge.addEventListener('pointerup', onPointerUp);
}
