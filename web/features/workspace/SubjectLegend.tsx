import { useStore } from '#web/api/useStore.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
import type { Store } from '#web/lib/store.ts';
import { LineKey } from '../shared/LineKey.tsx';
import type { Subject } from './subjects.ts';

/** What each line is; the one under the pointer is lit in all panels. */
export function SubjectLegend({ subjects, lit }: { subjects: readonly Subject[]; lit: Store<string | null> }) {
  const litId = useStore(lit);
  return (
    <ul className="workspace-legend" aria-label="Legend">
      {subjects.map(({ id, label, style, total }) => (
        <li
          key={id}
          className={joinClasses(id === litId && 'workspace-lit')}
          onPointerEnter={() => lit.set(id)}
          onPointerLeave={() => lit.set(null)}
        >
          <LineKey style={style} />
          <span title={label}>{label}</span>
          {total > 1 && <span className="muted">({total})</span>}
        </li>
      ))}
    </ul>
  );
}
