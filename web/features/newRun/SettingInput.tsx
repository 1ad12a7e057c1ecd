import { useId } from 'react';
import { joinClasses } from '#web/lib/joinClasses.ts';

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
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        className="input"
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={joinClasses(`${id}-hint`, error !== undefined && `${id}-error`)}
        list={suggestions === undefined ? undefined : `${id}-list`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      <span className="field-hint" id={`${id}-hint`}>
        {hint}
      </span>
      {error !== undefined && (
        <span className="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}
