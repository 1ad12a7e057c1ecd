import { type QueueAction, useQueueAction } from '#web/api/queueActions.ts';
import { showToast } from '#web/components/toasts.ts';

/** Does something with the queue or a worker, and says how that went. */
export function useQueueButtons(): { pending: boolean; act(action: QueueAction, done: string): void } {
  const mutation = useQueueAction();
  return {
    pending: mutation.isPending,
    act: (action, done) =>
      mutation.mutate(action, {
        onSuccess: () => showToast(done),
        onError: (error) => showToast(error.message, { error: true }),
      }),
  };
}
