import { useState } from 'react';
import { type EntryDetail, useChangeEntry, type VersionRow } from './useRegistry.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { SettingInput } from '../newRun/SettingInput.tsx';

/** Points an alias to a version, or takes one of its aliases away. */
export function AliasDialog({ entry, version, onClose }: { entry: EntryDetail; version: VersionRow; onClose(): void }) {
  const [alias, setAlias] = useState('');
  const [leaving, setLeaving] = useState<string | null>(null);
  const mutation = useChangeEntry();
  const now = entry.aliases.find(({ name }) => name === alias.trim());
  const hint = now === undefined ? 'Such as production.' : `It points to version ${now.number} now.`;
  const reference = `${entry.name}:${version.number}`;
  return (
    <Dialog title={`Aliases of version ${version.number}`} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate({ change: 'point', version: reference, alias: alias.trim() }, { onSuccess: onClose });
        }}
      >
        {version.aliases.map((name) => (
          <div className="row" key={name}>
            <code>{name}</code>
            {leaving === name ? (
              <>
                <span>Who asks for it finds nothing then.</span>
                <Button
                  look="danger"
                  disabled={mutation.isPending}
                  aria-label={`Take ${name} away for good`}
                  onClick={() =>
                    mutation.mutate({ change: 'unpoint', name: entry.name, alias: name }, { onSuccess: onClose })
                  }
                >
                  Take it away
                </Button>
              </>
            ) : (
              <Button aria-label={`Take ${name} away`} onClick={() => setLeaving(name)}>
                Take away…
              </Button>
            )}
          </div>
        ))}
        <SettingInput label="Alias that points here" hint={hint} value={alias} error={undefined} onChange={setAlias} />
        {mutation.error !== null && <ErrorNotice title="Not changed." error={mutation.error} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="primary" disabled={mutation.isPending || alias.trim() === ''}>
            Point it here
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
