import { Icon } from '#web/components/Icon.tsx';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { UNSORTABLE } from './columnChoice.ts';
import { columnTitle } from './columnTitle.ts';

export interface Sort {
  order: string;
  direction: 'ASC' | 'DESC';
  onSort(column: string, direction: 'ASC' | 'DESC'): void;
}

export interface SortableHeadProps {
  column: string;
  title?: string;
  sort: Sort;
  number?: boolean;
  className?: string;
}

/** A column's head; pressing it sorts, pressing again turns the order round. */
export function SortableHead({
  column,
  title = columnTitle(column),
  sort,
  number = false,
  className,
}: SortableHeadProps) {
  const active = sort.order === column;
  const classes = joinClasses(number && 'number', className);
  if (UNSORTABLE.has(column)) {
    return (
      <th scope="col" className={classes} title={title}>
        <span className="runs-clip">{title}</span>
      </th>
    );
  }
  const next = active ? (sort.direction === 'DESC' ? 'ASC' : 'DESC') : 'DESC';
  return (
    <th
      scope="col"
      className={classes}
      title={title}
      aria-sort={active ? (sort.direction === 'ASC' ? 'ascending' : 'descending') : undefined}
    >
      <button type="button" className="runs-sort" onClick={() => sort.onSort(column, next)}>
        <span className="runs-clip">{title}</span>
        {active && <Icon name={sort.direction === 'ASC' ? 'ascending' : 'descending'} size={11} />}
      </button>
    </th>
  );
}
