import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useProjects } from '#web/api/useProjects.ts';
import { useMayWrite } from '#web/api/useServer.ts';
import type { RunDetail } from '#web/api/useRun.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { showToast } from '#web/components/toasts.ts';
import { parseSeedList } from '#src/lib/seedList.ts';
import { DatasetFields } from './DatasetFields.tsx';
import { PresetChoice } from './PresetChoice.tsx';
import { SchemaFields } from './SchemaFields.tsx';
import { SettingInput } from './SettingInput.tsx';
import { type EnqueuedRun, type FormStart, useNewRunForm } from './useNewRunForm.ts';

/** The form for one kind: preset, dataset, parameters, and how the runs are queued. */
export function RunForm({ start, origin }: { start: FormStart; origin: RunDetail | null }) {
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const form = useRef<HTMLFormElement>(null);
  const onQueued = (runs: EnqueuedRun[]) => {
    const first = runs[0];
    if (first === undefined) return;
    showToast(runs.length === 1 ? `Run #${first.number} is queued.` : `${runs.length} runs are queued.`);
    for (const warning of new Set(runs.flatMap((run) => run.warnings))) showToast(warning, { error: true });
    if (runs.length === 1) void navigate({ to: '/runs/$runId', params: { runId: first.id } });
    else void navigate({ to: '/', search: { project: state.settings.project.trim() } });
  };
  const state = useNewRunForm(start, onQueued);
  const { kind } = start;
  const errorCount = Object.keys(state.errors).length;
  useEffect(() => {
    if (errorCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errorCount]);
  const schema = { drafts: state.drafts, base: state.base, errors: state.errors, onDraft: state.setDraft };

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
        <p className="muted">
          {kind.description} <cite>{kind.source}</cite>
        </p>
        {origin !== null && (
          <p>
            Begins with the configuration of run #{origin.number}, {origin.name}.
          </p>
        )}
        {kind.presets.length > 0 && (
          <PresetChoice kind={kind} chosen={state.presetName} onChoose={state.choosePreset} />
        )}
        {state.datasetFields.length > 0 && (
          <fieldset className="panel new-run-part">
            <legend>Dataset</legend>
            <DatasetFields fields={state.datasetFields} {...schema} />
          </fieldset>
        )}
        <fieldset className="panel new-run-part">
          <legend>Parameters</legend>
          {state.fields.length === 0 ? (
            <p className="muted">This kind has none.</p>
          ) : (
            <SchemaFields fields={state.fields} {...schema} />
          )}
        </fieldset>
      </div>
      <div className="new-run-side">
        <QueueFields state={state} />
        {state.failure !== null && <ErrorNotice title="Not queued." error={state.failure} />}
        {errorCount > 0 && (
          <p className="danger-text" role="alert">
            {errorCount === 1 ? 'One field needs a look.' : `${errorCount} fields need a look.`}
          </p>
        )}
        <Button type="submit" look="primary" disabled={state.pending || !mayWrite}>
          {submitLabel(state.settings.seeds)}
        </Button>
        {!mayWrite && <p className="muted">Your token may read only.</p>}
      </div>
    </form>
  );
}

type FormState = ReturnType<typeof useNewRunForm>;

function QueueFields({ state }: { state: FormState }) {
  const { data: projects = [] } = useProjects();
  const setting = (name: keyof FormState['settings']) => ({
    value: state.settings[name],
    error: state.errors[name],
    onChange: (value: string) => state.setSetting(name, value),
  });
  return (
    <fieldset className="panel new-run-part">
      <legend>Queue</legend>
      <div className="schema-fields new-run-queue">
        <SettingInput label="Seeds" hint="A list with ranges: 1-5, 8. One run per seed." {...setting('seeds')} />
        <SettingInput
          label="Project"
          hint="Made if there is none of this name."
          suggestions={projects.map((project) => project.name)}
          {...setting('project')}
        />
        <SettingInput label="Name" hint="Left empty, it is made from kind and dataset." {...setting('name')} />
        <SettingInput label="Tags" hint="Separated by commas." {...setting('tags')} />
        <SettingInput label="Priority" hint="1 first, 2,097,151 last." {...setting('priority')} />
        <SettingInput
          label="Attempts"
          hint="Tries at most, when a machine fails. A failure of the run itself is not tried again."
          {...setting('maxAttempts')}
        />
      </div>
    </fieldset>
  );
}

function submitLabel(seeds: string): string {
  const parsed = parseSeedList(seeds);
  return 'seeds' in parsed && parsed.seeds.length > 1 ? `Queue ${parsed.seeds.length} runs` : 'Queue run';
}
