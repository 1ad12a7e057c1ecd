import { LabelledControl } from '#web/components/LabelledControl.tsx';

export interface SettingChoiceProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  error: string | undefined;
  onChange(value: Value): void;
}

/** A setting that is one of few. */
export function SettingChoice<Value extends string>({
  label,
  options,
  value,
  error,
  onChange,
}: SettingChoiceProps<Value>) {
  return (
    <LabelledControl {...{ label, error }}>
      {(ties) => (
        <select
          {...ties}
          className="input"
          value={value}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.target.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </LabelledControl>
  );
}
