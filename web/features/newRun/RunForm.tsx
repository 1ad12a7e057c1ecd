import { useRef } from 'react';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { DatasetFields } from './DatasetFields.tsx';
import { InputFiles } from './InputFiles.tsx';
import { PresetChoice } from './PresetChoice.tsx';
import { QueueFields, submitLabel } from './QueueFields.tsx';
import { SchemaFields } from './SchemaFields.tsx';
import { WrongFields } from './WrongFields.tsx';
import { type FormStart, useNewRunForm } from './useNewRunForm.ts';
import { useShowQueued } from './useShowQueued.ts';

/** The form for one kind: preset, dataset, parameters, and how the runs are queued. */
export function RunForm({ start, origin }: { start: FormStart; origin: RunDetail | null }) {
  const mayWrite = useMayWrite();
  const form = useRef<HTMLFormElement>(null);
  const onQueued = useShowQueued();
  const state = useNewRunForm(start, onQueued);
  const { kind } = start;
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
        <InputFiles
          value={state.inputs}
          error={state.errors.inputs}
          hint="Kinds that take some say so above; they are found by their names."
          onChange={state.changeInputs}
        />
      </div>
      <div className="new-run-side">
        <QueueFields {...state} nameHint="Left empty, it is made from kind and dataset." />
        {state.failure !== null && <ErrorNotice title="Not queued." error={state.failure} />}
        <WrongFields form={form} errors={state.errors} />
        <Button type="submit" look="primary" disabled={state.pending || !mayWrite}>
          {submitLabel(state.settings.seeds)}
        </Button>
        {!mayWrite && <p className="muted">Your token may read only.</p>}
      </div>
    </form>
  );
}
