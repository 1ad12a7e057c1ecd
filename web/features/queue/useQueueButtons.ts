import { type QueueAction, useQueueAction } from './queueActions.ts';
import { showToast } from '#web/components/toasts.ts';

/** Does something with the queue or a worker, and says how that went. */
export function useQueueButtons(): { pending: boolean; act(action: QueueAction, done: string): void } {
  const mutation = useQueueAction();
  return {
    pending: mutation.isPending,
    act: (action, done) => {
      // not a callback of `mutate`: none is called once the button is gone
      mutation.mutateAsync(action).then(
        () => showToast(done),
        (error: Error) => showToast(error.message, { error: true }),
      );
    },
  };
}
