import { useChangeEntry, type VersionRow } from './useRegistry.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';

/** Asks before a version is deleted. */
export function DeleteVersionDialog({
  name,
  version,
  onClose,
}: {
  name: string;
  version: VersionRow;
  onClose(): void;
}) {
  const mutation = useChangeEntry();
  const { number, aliases } = version;
  return (
    <Dialog title={`Delete version ${number} of ${name}?`} onClose={onClose}>
      <p>
        Its files go unless a run or another version has them; the run that made it stays.
        {aliases.length > 0 && ` Its aliases go with it: ${aliases.join(', ')}.`}
      </p>
      {mutation.error !== null && <ErrorNotice title="Not deleted." error={mutation.error} />}
      <div className="dialog-foot">
        <Button onClick={onClose}>Keep it</Button>
        <Button
          look="danger"
          disabled={mutation.isPending}
          onClick={() => mutation.mutate({ change: 'delete', version: `${name}:${number}` }, { onSuccess: onClose })}
        >
          Delete
        </Button>
      </div>
    </Dialog>
  );
}
