import type { ExperimentKind } from '#web/api/useCatalog.ts';

export interface PresetChoiceProps {
  kind: ExperimentKind;
  chosen: string | null;
  onChoose(name: string | null): void;
}

/** Which values a form begins with, by name. */
export function PresetChoice({ kind, chosen, onChoose }: PresetChoiceProps) {
  const preset = kind.presets.find((one) => one.name === chosen);
  return (
    <label className="field new-run-kind">
      <span className="field-label">Preset</span>
      <select
        className="input"
        value={chosen ?? ''}
        onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">none: the defaults</option>
        {kind.presets.map((one) => (
          <option key={one.name} value={one.name}>
            {one.name}
          </option>
        ))}
      </select>
      <span className="field-hint">{preset?.description ?? 'Values that a paper used, by name.'}</span>
    </label>
  );
}
