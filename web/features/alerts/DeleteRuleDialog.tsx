import { type AlertRuleRow, useDeleteAlertRule } from './useAlerts.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { showToast } from '#web/components/toasts.ts';

/** Asks before a rule is deleted: it does not come back, nor does its secret. */
export function DeleteRuleDialog({ rule, onClose }: { rule: AlertRuleRow; onClose(): void }) {
  const { id, number, name } = rule;
  const remove = useDeleteAlertRule();
  const onSuccess = () => {
    showToast(`${name} is deleted.`);
    onClose();
  };
  return (
    <Dialog title={`Delete rule ${number}?`} onClose={onClose}>
      <p>
        “{name}” tells nobody any more, and the secret by which receivers check its messages goes with it. What it has
        told stays. To silence it for a while, switch it off.
      </p>
      {remove.error !== null && <ErrorNotice title="Not deleted." error={remove.error} />}
      <div className="dialog-foot">
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate(id, { onSuccess })}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}
