import type { ExperimentKind } from '#web/features/shared/useCatalog.ts';
import { SelectField } from '#web/components/SelectField.tsx';

export interface PresetChoiceProps {
  kind: ExperimentKind;
  chosen: string | null;
  onChoose(name: string | null): void;
}

/** Which values a form begins with, by name. */
export function PresetChoice({ kind, chosen, onChoose }: PresetChoiceProps) {
  const preset = kind.presets.find((one) => one.name === chosen);
  return (
    <SelectField
      className="new-run-kind"
      label="Preset"
      value={chosen ?? ''}
      options={[['', 'none: the defaults'], ...kind.presets.map(({ name }) => [name, name] as const)]}
      onChoose={(name) => onChoose(name === '' ? null : name)}
      hint={preset?.description ?? 'Values that a paper used, by name.'}
    />
  );
}
