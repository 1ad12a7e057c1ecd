import { type ReactNode, useState } from 'react';
import { formatCount } from '../lib/formatNumber.ts';
import { Button } from './Button.tsx';
import { useNarrow } from './useNarrow.ts';

export interface FoldedListProps<Item> {
  items: readonly Item[];
  /** What it lists, for those who do not see it. */
  label: string;
  className: string;
  /** Items that are shown before it is unfolded, and on a phone. */
  most: number;
  mostNarrow: number;
  /** The list item of each. */
  children(item: Item, index: number): ReactNode;
}

/** A list of which the first items are shown, and the others when somebody asks. One item is never hidden alone. */
export function FoldedList<Item>({ items, label, className, most, mostNarrow, children }: FoldedListProps<Item>) {
  const [isOpen, setIsOpen] = useState(false);
  const narrow = useNarrow();
  const room = narrow ? mostNarrow : most;
  const left = items.length > room + 1 ? items.length - room : 0;
  const shown = isOpen || left === 0 ? items : items.slice(0, room);
  return (
    <ul className={className} aria-label={label}>
      {shown.map(children)}
      {left > 0 && (
        <li className="folded-rest">
          <Button look="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Show fewer' : `and ${formatCount(left)} more`}
          </Button>
        </li>
      )}
    </ul>
  );
}
