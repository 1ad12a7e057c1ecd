import { type FormEvent, useState } from 'react';
import { ApiError } from '#web/api/apiError.ts';
import { useCreateSweep } from '#web/features/sweeps/sweepActions.ts';
import { type ExperimentKind, useDatasets } from '#web/features/shared/useCatalog.ts';
import { useProjects } from '#web/features/projects/useProjects.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { LabelledControl } from '#web/components/LabelledControl.tsx';
import { SettingInput } from '#web/features/newRun/SettingInput.tsx';
import { SettingChoice } from './SettingChoice.tsx';
import type { CreatedSweep } from './useNewSweepForm.ts';

const EXAMPLE = `method: bayes
metric: { name: valid/ndcg@10, goal: maximize }
run_cap: 40
parameters:
  learningRate: { distribution: log_uniform_values, min: 0.001, max: 0.1 }
  dimension: { values: [16, 32, 64] }`;

interface Fields {
  text: string;
  kind: string;
  dataset: string;
  project: string;
  name: string;
}

export interface SweepFileFormProps {
  kinds: readonly ExperimentKind[];
  project: string | undefined;
  onCreated(made: CreatedSweep): void;
}

/** A sweep file of W&B or Warren, pasted; what it does not say is chosen beside it. */
export function SweepFileForm({ kinds, project, onCreated }: SweepFileFormProps) {
  const mayWrite = useMayWrite();
  const { data: projects = [] } = useProjects();
  const { data: datasets = [] } = useDatasets();
  const create = useCreateSweep();
  const [fields, setFields] = useState<Fields>({ text: '', kind: '', dataset: '', project: project ?? '', name: '' });
  const [errors, setErrors] = useState<Partial<Record<keyof Fields, string>>>({});
  const setting = (name: keyof Fields) => ({
    value: fields[name],
    error: errors[name],
    onChange: (value: string) => {
      setFields((before) => ({ ...before, [name]: value }));
      setErrors(({ [name]: _, ...rest }) => rest);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fields.text.trim() === '') return setErrors({ text: 'Paste a sweep file.' });
    const given = (name: 'kind' | 'dataset' | 'project' | 'name') =>
      fields[name].trim() === '' ? {} : { [name]: fields[name].trim() };
    create.mutate(
      {
        text: fields.text,
        file: { ...given('kind'), ...given('dataset') },
        ...given('project'),
        ...given('name'),
      },
      {
        onSuccess: onCreated,
        onError: (error) => {
          const path = error instanceof ApiError ? (error.path ?? '') : '';
          const field = path === 'kind' ? 'kind' : path.startsWith('dataset') ? 'dataset' : 'text';
          setErrors({ [field]: error.message });
        },
      },
    );
  };
  const text = setting('text');
  return (
    <form className="new-run-form" noValidate onSubmit={submit}>
      <div className="new-run-main">
        <LabelledControl
          label="Sweep file"
          hint="YAML or JSON, as W&B has it (method, metric, parameters, run_cap, early_terminate), with Warren's own keys where wished: kind, dataset, seeds, budget, concurrency."
          error={text.error}
          alerts
        >
          {(ties) => (
            <textarea
              {...ties}
              className="input mono sweep-file"
              rows={18}
              spellCheck={false}
              placeholder={EXAMPLE}
              value={text.value}
              onChange={(event) => text.onChange(event.target.value)}
            />
          )}
        </LabelledControl>
      </div>
      <div className="new-run-side">
        <fieldset className="panel new-run-part">
          <legend>What it lacks</legend>
          <div className="schema-fields new-run-queue">
            <SettingChoice
              label="Kind"
              options={[
                { value: '', label: 'as the file says' },
                ...kinds.map((one) => ({ value: one.kind, label: `${one.kind} – ${one.title}` })),
              ]}
              {...setting('kind')}
            />
            <SettingInput
              label="Dataset"
              hint="Left empty: as the file says."
              suggestions={datasets.map((dataset) => dataset.name)}
              {...setting('dataset')}
            />
            <SettingInput
              label="Project"
              hint="Left empty: the file's, or default."
              suggestions={projects.map((one) => one.name)}
              {...setting('project')}
            />
            <SettingInput label="Name" hint="Left empty: the file's." {...setting('name')} />
          </div>
        </fieldset>
        {create.error !== null && Object.keys(errors).length === 0 && (
          <ErrorNotice title="Not started." error={create.error} />
        )}
        <Button type="submit" look="primary" disabled={create.isPending || !mayWrite}>
          Start sweep
        </Button>
        {!mayWrite && <p className="muted">Your token may read only.</p>}
      </div>
    </form>
  );
}
