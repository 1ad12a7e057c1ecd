import type { ExperimentKind } from '#web/api/useCatalog.ts';

export interface KindChoiceProps {
  kinds: readonly ExperimentKind[];
  /** Name of the kind that is chosen. */
  chosen: string;
  onChoose(kind: string): void;
}

/** Chooses one of the kinds by name and title. */
export function KindChoice({ kinds, chosen, onChoose }: KindChoiceProps) {
  return (
    <label className="field new-run-kind">
      <span className="field-label">Kind</span>
      <select className="input" value={chosen} onChange={(event) => onChoose(event.target.value)}>
        {kinds.map((one) => (
          <option key={one.kind} value={one.kind}>
            {one.kind} – {one.title}
          </option>
        ))}
      </select>
    </label>
  );
}
