import type { ExperimentKind } from '#web/features/shared/useCatalog.ts';
import { SelectField } from '#web/components/SelectField.tsx';

export interface KindChoiceProps {
  kinds: readonly ExperimentKind[];
  /** Name of the kind that is chosen. */
  chosen: string;
  onChoose(kind: string): void;
}

/** Chooses one of the kinds by name and title. */
export function KindChoice({ kinds, chosen, onChoose }: KindChoiceProps) {
  return (
    <SelectField
      className="new-run-kind"
      label="Kind"
      value={chosen}
      options={kinds.map(({ kind, title }) => [kind, `${kind} – ${title}`] as const)}
      onChoose={onChoose}
    />
  );
}
