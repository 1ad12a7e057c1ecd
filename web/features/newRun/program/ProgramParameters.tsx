import { SettingInput } from '../SettingInput.tsx';
import type { ProgramDraft } from './programDraft.ts';

export interface ProgramParametersProps {
  /** The placeholders of the command line, in its order. */
  names: readonly string[];
  values: ProgramDraft['values'];
  errors: Readonly<Record<string, string>>;
  onValue(name: string, value: string): void;
}

/** A field for each placeholder of the command line. */
export function ProgramParameters({ names, values, errors, onValue }: ProgramParametersProps) {
  if (names.length === 0) return null;
  return (
    <fieldset className="panel new-run-part">
      <legend>Parameters</legend>
      <div className="schema-fields">
        {names.map((name) => (
          <SettingInput
            key={name}
            label={name}
            hint={`Fills {${name}}.`}
            value={values[name] ?? ''}
            error={errors[`parameters.${name}`]}
            onChange={(value) => onValue(name, value)}
          />
        ))}
      </div>
    </fieldset>
  );
}
