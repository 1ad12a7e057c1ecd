import { LabelledControl } from '#web/components/LabelledControl.tsx';

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
  return (
    <fieldset className="panel new-run-part">
      <legend>Inputs</legend>
      <LabelledControl
        label="Files"
        hint={`One a line: model.pt=ranker@production is a registered version, data.csv=12:data.csv a file of run 12. ${hint}`}
        error={error}
      >
        {(ties) => (
          <textarea
            {...ties}
            className="input mono"
            rows={Math.min(16, Math.max(2, value.split('\n').length))}
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </LabelledControl>
    </fieldset>
  );
}
