import { useEffect, useRef } from 'react';
import { useProjects, useRunColumns } from '#web/api/useProjects.ts';
import { useMayWrite } from '#web/api/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import type { SchemaField } from '#web/lib/schemaField.ts';
import { DatasetFields } from '../newRun/DatasetFields.tsx';
import { PresetChoice } from '../newRun/PresetChoice.tsx';
import { SchemaFields } from '../newRun/SchemaFields.tsx';
import { SettingInput } from '../newRun/SettingInput.tsx';
import { SettingChoice } from './SettingChoice.tsx';
import type { SweepSettings } from './sweepSettings.ts';
import { type CreatedSweep, type SweepFormStart, type SweepFormState, useNewSweepForm } from './useNewSweepForm.ts';
import { VaryFields } from './VaryFields.tsx';

/** The form of a sweep over one kind: what varies, what is looked for, and for how long. */
export function SweepForm({ start, onCreated }: { start: SweepFormStart; onCreated(made: CreatedSweep): void }) {
  const mayWrite = useMayWrite();
  const form = useRef<HTMLFormElement>(null);
  const state = useNewSweepForm(start, onCreated);
  const errorCount = Object.keys(state.errors).length;
  useEffect(() => {
    if (errorCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errorCount]);
  const schema = { drafts: state.drafts, base: state.base, errors: state.errors, onDraft: state.setDraft };
  const varied = new Set(state.variations.map(({ path }) => path));
  const fixed = fieldsWithout(state.fields, varied);
  const fixedTouched = [...Object.keys(state.drafts), ...Object.keys(state.errors)].some(
    (path) => path.startsWith('parameters.') && !varied.has(path),
  );
  return (
    <form
      className="new-run-form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        state.submit();
      }}
    >
      <div className="new-run-main">
        <p className="muted">{start.kind.description}</p>
        {start.kind.presets.length > 0 && (
          <PresetChoice kind={start.kind} chosen={state.presetName} onChoose={state.choosePreset} />
        )}
        {state.datasetFields.length > 0 && (
          <fieldset className="panel new-run-part">
            <legend>Dataset</legend>
            <DatasetFields fields={state.datasetFields} {...schema} />
          </fieldset>
        )}
        <VaryFields state={state} />
        {fixed.length > 0 && (
          <details className="panel new-run-part new-run-more" open={fixedTouched || undefined}>
            <summary>Fixed parameters</summary>
            <SchemaFields fields={fixed} {...schema} />
          </details>
        )}
      </div>
      <div className="new-run-side">
        <SearchFields state={state} project={start.project ?? null} />
        {state.failure !== null && <ErrorNotice title="Not started." error={state.failure} />}
        {errorCount > 0 && (
          <p className="danger-text" role="alert">
            {errorCount === 1 ? 'One field needs a look.' : `${errorCount} fields need a look.`}
          </p>
        )}
        <Button type="submit" look="primary" disabled={state.pending || !mayWrite}>
          Start sweep
        </Button>
        {!mayWrite && <p className="muted">Your token may read only.</p>}
      </div>
    </form>
  );
}

/** The fields but those that are varied; groups that are empty then go, too. */
function fieldsWithout(fields: readonly SchemaField[], varied: ReadonlySet<string>): SchemaField[] {
  return fields.flatMap((field): SchemaField[] => {
    if (varied.has(field.path)) return [];
    if (field.control.type !== 'group') return [field];
    const inner = fieldsWithout(field.control.fields, varied);
    return inner.length === 0 ? [] : [{ ...field, control: { ...field.control, fields: inner } }];
  });
}

const METHODS = [
  { value: 'tpe', label: 'tpe – learns from the trials before' },
  { value: 'random', label: 'random' },
  { value: 'sobol', label: 'sobol – even coverage' },
  { value: 'grid', label: 'grid – every combination' },
] as const;

const STOPPING = [
  { value: '', label: 'none: every trial runs to its end' },
  { value: 'asha', label: 'asha – successive halving' },
  { value: 'hyperband', label: "hyperband – W&B's" },
  { value: 'median', label: 'median rule' },
] as const;

function SearchFields({ state, project }: { state: SweepFormState; project: string | null }) {
  const { data: projects = [] } = useProjects();
  const { data: columns } = useRunColumns(project);
  const metrics = (columns?.metrics ?? []).filter((name) => !/^(test|system)\//.test(name));
  const setting = <Name extends keyof SweepSettings>(name: Name) => ({
    value: state.settings[name],
    error: state.errors[name],
    onChange: (value: SweepSettings[Name]) => state.setSetting(name, value),
  });
  const text = (name: Exclude<keyof SweepSettings, 'method' | 'goal' | 'summary' | 'stopping'>) => setting(name);
  return (
    <>
      <fieldset className="panel new-run-part">
        <legend>Search</legend>
        <div className="schema-fields new-run-queue">
          <SettingChoice label="Sampler" options={METHODS} {...setting('method')} />
          <SettingInput
            label="Objective"
            hint="A metric on validation data."
            suggestions={metrics}
            {...text('metric')}
          />
          <SettingChoice
            label="Direction"
            options={[
              { value: '', label: 'what the metric is known for' },
              { value: 'maximize', label: 'maximize' },
              { value: 'minimize', label: 'minimize' },
            ]}
            {...setting('goal')}
          />
          <SettingChoice
            label="Counts"
            options={[
              { value: 'last', label: 'the last value of a run' },
              { value: 'best', label: 'the best value of a run' },
            ]}
            {...setting('summary')}
          />
          <SettingInput
            label="Seeds"
            hint="1-3: each trial runs with each, its objective is their mean."
            {...text('seeds')}
          />
        </div>
      </fieldset>
      <fieldset className="panel new-run-part">
        <legend>Budget</legend>
        <div className="schema-fields new-run-queue">
          <SettingInput label="Trials" hint="In all; empty for no limit." {...text('trials')} />
          <SettingInput label="Trials at once" hint="Fewer teach tpe more." {...text('concurrency')} />
          <SettingInput label="Hours" hint="It draws none after so many." {...text('hours')} />
          <SettingInput label="Epochs" hint="Of all runs together." {...text('epochs')} />
          <SettingInput
            label="Until nothing better in"
            hint="So many trials without a better one."
            {...text('patience')}
          />
          <SettingInput label="Target" hint="It ends when an objective reaches this." {...text('target')} />
          <SettingChoice label="Early stopping" options={STOPPING} {...setting('stopping')} />
          {state.settings.stopping !== '' && (
            <SettingInput label="First look" hint="After so many values of the metric." {...text('firstLook')} />
          )}
          {(state.settings.stopping === 'asha' || state.settings.stopping === 'hyperband') && (
            <SettingInput label="Keeps one in" hint="Of the trials at each look." {...text('eta')} />
          )}
        </div>
      </fieldset>
      <fieldset className="panel new-run-part">
        <legend>Sweep</legend>
        <div className="schema-fields new-run-queue">
          <SettingInput label="Name" hint="Left empty, it is made from sampler and kind." {...text('name')} />
          <SettingInput
            label="Project"
            hint="Made if there is none of this name."
            suggestions={projects.map(({ name }) => name)}
            {...text('project')}
          />
          <SettingInput label="Tags" hint="Of its runs, separated by commas." {...text('tags')} />
          <SettingInput
            label="Seed of the sampler"
            hint="The same seed draws the same trials."
            {...text('samplerSeed')}
          />
        </div>
      </fieldset>
    </>
  );
}
