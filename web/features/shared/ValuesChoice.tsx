export interface ValuesChoiceProps {
  /** `best`, or a metric at whose best step the values are; undefined: the value that stands for a metric. */
  value: string | undefined;
  /** Metrics at whose best values may be shown. */
  guides: readonly string[];
  /** Whether another value than the last stands for a metric. */
  hasRules: boolean;
  onChange(value: string | undefined): void;
}

/** Chooses which value of each run counts. */
export function ValuesChoice({ value, guides, hasRules, onChange }: ValuesChoiceProps) {
  return (
    <label className="row groups-values">
      <span className="muted">Values</span>
      <select
        className="input"
        value={value ?? 'last'}
        onChange={(event) => onChange(event.target.value === 'last' ? undefined : event.target.value)}
      >
        <option value="last">{hasRules ? 'by the rule of each metric' : 'last of each run'}</option>
        <option value="best">best of each run</option>
        {[...new Set([...guides, ...(value === undefined || value === 'best' ? [] : [value])])].map((name) => (
          <option key={name} value={name}>
            at the best {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Metrics that values are usually chosen by: those of the validation data. */
export function guidesAmong(names: readonly string[]): string[] {
  return names.filter((name) => /valid/.test(name)).slice(0, 50);
}
