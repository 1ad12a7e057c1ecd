import { LabelledControl } from '#web/components/LabelledControl.tsx';

export interface SettingInputProps {
  label: string;
  hint: string;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
  suggestions?: readonly string[];
}

/** One of the settings that every run has. */
export function SettingInput({ label, hint, value, error, onChange, suggestions }: SettingInputProps) {
  return (
    <LabelledControl {...{ label, hint, error }}>
      {(ties) => (
        <>
          <input
            {...ties}
            className="input"
            type="text"
            autoComplete="off"
            spellCheck={false}
            list={suggestions === undefined ? undefined : `${ties.id}-list`}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          {suggestions !== undefined && (
            <datalist id={`${ties.id}-list`}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      )}
    </LabelledControl>
  );
}
