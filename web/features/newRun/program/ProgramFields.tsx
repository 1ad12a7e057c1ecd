import { LabelledControl } from '#web/components/LabelledControl.tsx';
import { SettingInput } from '../SettingInput.tsx';
import type { ProgramDraft, ProgramField, ProgramSource } from './programDraft.ts';

export interface ProgramFieldsProps {
  draft: ProgramDraft;
  source: ProgramSource;
  errors: Readonly<Record<string, string>>;
  onChange(name: ProgramField, value: string): void;
}

/** The command line of a program, and where its code comes from. */
export function ProgramLine({ draft, source, errors, onChange }: ProgramFieldsProps) {
  const { codeCommit, codeChanged } = source.origin;
  const commit = typeof codeCommit === 'string' ? codeCommit.slice(0, 12) : null;
  return (
    <fieldset className="panel new-run-part">
      <legend>Program</legend>
      <LabelledControl
        label="Command"
        hint="The program and its arguments, one a line. {lr} stands for the parameter lr, {seed} for the seed."
        error={errors.line}
      >
        {(ties) => (
          <textarea
            {...ties}
            className="input mono"
            rows={Math.min(16, Math.max(4, draft.line.split('\n').length + 1))}
            spellCheck={false}
            value={draft.line}
            onChange={(event) => onChange('line', event.target.value)}
          />
        )}
      </LabelledControl>
      <p className="muted">
        {source.code === null ? 'It starts in an empty folder.' : 'It starts with the same code'}
        {source.code !== null && commit !== null && `, commit ${commit}${codeChanged === true ? ' with changes' : ''}`}
        {source.code !== null && source.folder !== '' && `, in ${source.folder}`}
        {source.code !== null && '.'} Environment: {source.environment}.
      </p>
    </fieldset>
  );
}

/** What a worker must have for the program. */
export function ProgramNeeds({ draft, errors, onChange }: Omit<ProgramFieldsProps, 'source'>) {
  const setting = (name: ProgramField) => ({
    value: draft[name],
    error: errors[name],
    onChange: (value: string) => onChange(name, value),
  });
  return (
    <fieldset className="panel new-run-part">
      <legend>Needs</legend>
      <div className="schema-fields new-run-queue">
        <SettingInput label="GPUs" hint="For each run alone." {...setting('gpus')} />
        <SettingInput label="Memory" hint="8G; more ends the run." {...setting('memory')} />
        <SettingInput label="Cores" hint="Kept free for each run." {...setting('cores')} />
        <SettingInput label="Labels" hint="Of the worker, separated by commas." {...setting('labels')} />
        <SettingInput label="Minutes" hint="After so many an attempt is ended." {...setting('minutes')} />
      </div>
    </fieldset>
  );
}
