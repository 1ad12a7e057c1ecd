import { useMemo } from 'react';
import { fieldTitle } from '#src/base/lib/groupLabels.ts';
import { LineKey } from '../shared/LineKey.tsx';
import type { ColorKey } from './curveColors.ts';
import { varyingFields } from './runValues.ts';
import type { SubjectRun } from './subjects.ts';

export interface ColorChoiceProps {
  /** The field that curves are colored by; null: each curve has its own color. */
  colorBy: string | null;
  runs: readonly SubjectRun[];
  onChange(colorBy: string | null): void;
}

const MOST_FIELDS = 40;
const PLAIN: readonly (readonly [field: string, title: string])[] = [
  ['seed', 'seed'],
  ['state', 'state'],
  ['user', 'user'],
];

/** By which field curves are colored: one in which the runs differ. */
export function ColorChoice({ colorBy, runs, onChange }: ColorChoiceProps) {
  const fields = useMemo(() => {
    const varying = varyingFields(runs, MOST_FIELDS).map((field) => [field, fieldTitle(field)] as const);
    const found = [...varying, ...PLAIN];
    return colorBy === null || found.some(([field]) => field === colorBy)
      ? found
      : [[colorBy, fieldTitle(colorBy)] as const, ...found];
  }, [runs, colorBy]);
  return (
    <label className="check">
      <span className="muted">colors by</span>
      <select
        className="input"
        aria-label="Colors by"
        value={colorBy ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
      >
        <option value="">curve</option>
        {fields.map(([field, title]) => (
          <option key={field} value={field}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What the colors stand for. */
export function ColorKeys({ keys }: { keys: readonly ColorKey[] }) {
  return (
    <ul className="workspace-legend" aria-label="Key of colors">
      {keys.map(({ text, style }) => (
        <li key={text}>
          <LineKey style={style} />
          <span title={text}>{text}</span>
        </li>
      ))}
    </ul>
  );
}
