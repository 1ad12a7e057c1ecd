import { useRef } from 'react';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import type { SchemaField } from '#web/lib/schemaField.ts';
import { DatasetFields } from '#web/features/newRun/DatasetFields.tsx';
import { PresetChoice } from '#web/features/newRun/PresetChoice.tsx';
import { SchemaFields } from '#web/features/newRun/SchemaFields.tsx';
import { WrongFields } from '#web/features/newRun/WrongFields.tsx';
import { SearchFields } from './SearchFields.tsx';
import { type CreatedSweep, type SweepFormStart, useNewSweepForm } from './useNewSweepForm.ts';
import { VaryFields } from './VaryFields.tsx';

/** The form of a sweep over one kind: what varies, what is looked for, and for how long. */
export function SweepForm({ start, onCreated }: { start: SweepFormStart; onCreated(made: CreatedSweep): void }) {
  const mayWrite = useMayWrite();
  const form = useRef<HTMLFormElement>(null);
  const state = useNewSweepForm(start, onCreated);
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
        <SearchFields {...state} project={start.project ?? null} />
        {state.failure !== null && <ErrorNotice title="Not started." error={state.failure} />}
        <WrongFields form={form} errors={state.errors} />
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
