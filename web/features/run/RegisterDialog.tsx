import { useState } from 'react';
import { ApiError } from '#web/api/apiError.ts';
import { useRegister } from '#web/features/registry/useRegistry.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { showToast } from '#web/components/toasts.ts';
import { SettingInput } from '../newRun/SettingInput.tsx';

const TYPES = [
  { value: 'model', label: 'Model' },
  { value: 'dataset', label: 'Dataset' },
] as const;

/** Registers an artifact, or the folder that it is in, as the next version of a model or dataset. */
export function RegisterDialog({ runId, artifact, onClose }: { runId: string; artifact: string; onClose(): void }) {
  const folder = artifact.includes('/') ? artifact.slice(0, artifact.lastIndexOf('/')) : null;
  const [name, setName] = useState('');
  const [aliases, setAliases] = useState('');
  const [type, setType] = useState<'model' | 'dataset'>('model');
  const [whole, setWhole] = useState(false);
  const mutation = useRegister();
  const path = mutation.error instanceof ApiError ? (mutation.error.path ?? '') : '';
  const errorOf = (field: string) => (path.startsWith(field) ? mutation.error?.message : undefined);
  const isShown = errorOf('name') !== undefined || errorOf('aliases') !== undefined;
  const submit = () => {
    const input = {
      ...{ name, type, runId, artifactName: whole ? folder : artifact },
      aliases: aliases.split(/[\s,]+/).filter((alias) => alias !== ''),
    };
    mutation.mutate(input, {
      onSuccess: (version) => {
        showToast(`It is version ${version.number} of ${version.name}.`);
        onClose();
      },
    });
  };
  return (
    <Dialog title={`Register ${artifact}`} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <SettingInput
          label="Name"
          hint="Of the model or dataset; a new one is made."
          value={name}
          error={errorOf('name')}
          onChange={setName}
        />
        <Segments<'model' | 'dataset'> label="What it is" options={TYPES} value={type} onChange={setType} />
        <SettingInput
          label="Aliases"
          hint="Such as production; they point here from now on."
          value={aliases}
          error={errorOf('aliases')}
          onChange={setAliases}
        />
        {folder !== null && (
          <label className="row">
            <input type="checkbox" checked={whole} onChange={({ target }) => setWhole(target.checked)} />
            All files in {folder}/
          </label>
        )}
        {mutation.error !== null && !isShown && <ErrorNotice title="Not registered." error={mutation.error} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="primary" disabled={mutation.isPending || name.trim() === ''}>
            Register
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
