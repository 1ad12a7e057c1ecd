import { Field, type FieldProps } from './Field.tsx';

export interface SelectFieldProps<Value extends string> extends Omit<FieldProps, 'children'> {
  value: Value;
  /** Each value with its title. */
  options: readonly (readonly [value: Value, title: string])[];
  onChoose(value: Value): void;
}

/** One of several values. */
export function SelectField<Value extends string>({ value, options, onChoose, ...field }: SelectFieldProps<Value>) {
  return (
    <Field {...field}>
      <select
        className="input"
        value={value}
        onChange={({ target }) => {
          const chosen = options.find(([one]) => one === target.value);
          if (chosen !== undefined) onChoose(chosen[0]);
        }}
      >
        {options.map(([one, title]) => (
          <option key={one} value={one}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}
