import { useId } from 'react';

export interface InputFilesProps {
  /** Lines of `inputLines`, as they are typed. */
  value: string;
  error: string | undefined;
  /** Who takes them, in a sentence. */
  hint: string;
  onChange(value: string): void;
}

/** Files of runs and registered versions that runs are to have. */
export function InputFiles({ value, error, hint, onChange }: InputFilesProps) {
  const id = useId();
  return (
    <fieldset className="panel new-run-part">
      <legend>Inputs</legend>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Files
        </label>
        <textarea
          className="input mono"
          id={id}
          rows={Math.min(16, Math.max(2, value.split('\n').length))}
          spellCheck={false}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-hint${error === undefined ? '' : ` ${id}-error`}`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <span className="field-hint" id={`${id}-hint`}>
          One a line: model.pt=ranker@production is a registered version, data.csv=12:data.csv a file of run 12. {hint}
        </span>
        {error !== undefined && (
          <span className="field-error" id={`${id}-error`}>
            {error}
          </span>
        )}
      </div>
    </fieldset>
  );
}
