import { useEffect, useState } from 'react';
import { LabelledControl } from '#web/components/LabelledControl.tsx';

export interface NumberFieldProps {
  label: string;
  /** Null: empty. */
  value: number | null;
  onChange(value: number | null): void;
}

/** A number that may be left empty; what is typed holds from Enter on, or when the field is left. */
export function NumberField({ label, value, onChange }: NumberFieldProps) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  useEffect(() => {
    setText(value === null ? '' : String(value));
    setWrong(false);
  }, [value]);
  const apply = () => {
    const number = text.trim() === '' ? null : Number(text.replace('−', '-'));
    const wrong = number !== null && !Number.isFinite(number);
    setWrong(wrong);
    if (!wrong && number !== value) onChange(number);
  };
  return (
    <LabelledControl label={label} error={isWrong ? 'A number such as 0.5 or 1e-3, or nothing.' : null}>
      {(ties) => (
        <input
          {...ties}
          className="input"
          inputMode="decimal"
          placeholder="auto"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onBlur={apply}
          onKeyDown={(event) => event.key === 'Enter' && apply()}
        />
      )}
    </LabelledControl>
  );
}
