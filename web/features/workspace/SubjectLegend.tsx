import { useState } from 'react';
import { useStore } from '#web/api/useStore.ts';
import { Button } from '#web/components/Button.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
import type { Store } from '#web/lib/store.ts';
import { type CurveAct, CurveToggle } from '../shared/CurveToggle.tsx';
import { LineKey } from '../shared/LineKey.tsx';
import type { Subject } from './subjects.ts';

export interface SubjectLegendProps {
  subjects: readonly Subject[];
  /** Those whose curves are hidden. */
  hidden?: readonly string[];
  lit: Store<string | null>;
  /** Curves that are named before it is unfolded; all unless given. One is never hidden alone. */
  most?: number;
  /** Does something with a curve; without it nothing can be done. */
  onCurve?: ((subject: string, act: CurveAct) => void) | undefined;
}

/** What each line is; the one under the pointer is lit in all panels, and one that is pressed is hidden. */
export function SubjectLegend({ subjects, hidden = [], lit, most = subjects.length, onCurve }: SubjectLegendProps) {
  const litId = useStore(lit);
  const [isOpen, setIsOpen] = useState(false);
  const left = subjects.length > most + 1 ? subjects.length - most : 0;
  return (
    <ul className="workspace-legend" aria-label="Legend">
      {subjects.map(({ id, label, style, total }, index) => (
        <li
          key={id}
          className={joinClasses(
            id === litId && 'workspace-lit',
            !isOpen && left > 0 && index >= most && 'legend-away',
          )}
          onPointerEnter={() => lit.set(id)}
          onPointerLeave={() => lit.set(null)}
        >
          {onCurve === undefined ? (
            <LineKey style={style} />
          ) : (
            <CurveToggle
              {...{ label, style, width: 26, isHidden: hidden.includes(id) }}
              onAct={(act) => onCurve(id, act)}
            />
          )}
          <span title={label}>{label}</span>
          {total > 1 && <span className="muted">({total})</span>}
        </li>
      ))}
      {left > 0 && (
        <li className="legend-rest">
          <Button look="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Show fewer' : `and ${formatCount(left)} more`}
          </Button>
        </li>
      )}
    </ul>
  );
}
