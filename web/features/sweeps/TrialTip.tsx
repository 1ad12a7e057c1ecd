import { useEffect, useRef } from 'react';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { DIGITS } from '#web/lib/valueAxis.ts';
import { shortValue } from './trialLabel.ts';
import type { TrialSet } from './trialSet.ts';

/** What the trial under the pointer is, beside the pointer. */
export function TrialTip({ trials, index }: { trials: TrialSet; index: number }) {
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const follow = ({ clientX, clientY }: PointerEvent) => {
      const element = tip.current;
      if (element === null) return;
      const left = Math.min(clientX + 14, window.innerWidth - element.offsetWidth - 8);
      const below = clientY + 16;
      const top = below + element.offsetHeight > window.innerHeight ? clientY - element.offsetHeight - 10 : below;
      element.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
      element.style.visibility = 'visible';
    };
    window.addEventListener('pointermove', follow);
    return () => window.removeEventListener('pointermove', follow);
  }, []);
  const objective = trials.objectives[index]!;
  return (
    <div className="trial-tip" ref={tip} aria-hidden="true" style={{ visibility: 'hidden' }}>
      <div className="trial-tip-head">
        <b>Trial {index}</b> <span className="muted">{trials.states[index]?.toLowerCase()}</span>
      </div>
      <dl>
        <dt>{trials.objective.title}</dt>
        <dd>{Number.isNaN(objective) ? '–' : formatNumber(objective, DIGITS)}</dd>
        {trials.parameters.map(({ path, title, values }) =>
          values[index] === null || values[index] === undefined ? null : (
            <div key={path}>
              <dt>{title}</dt>
              <dd>{shortValue(values[index])}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}
