import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  DrainWorkerDocument,
  PauseQueueDocument,
  PrioritizeRunsDocument,
  ResumeQueueDocument,
  UndrainWorkerDocument,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { showToast } from '#web/components/toasts.ts';

/** What can be done with the queue and its workers. A kind of null is all kinds. */
type QueueAction =
  | { action: 'pause' | 'resume'; kind: string | null }
  | { action: 'drain' | 'undrain'; worker: string }
  | { action: 'prioritize'; runId: string; priority: number };

async function act(wanted: QueueAction): Promise<void> {
  switch (wanted.action) {
    case 'pause':
      await request(PauseQueueDocument, { kind: wanted.kind });
      return;
    case 'resume':
      await request(ResumeQueueDocument, { kind: wanted.kind });
      return;
    case 'drain':
      await request(DrainWorkerDocument, { worker: wanted.worker });
      return;
    case 'undrain':
      await request(UndrainWorkerDocument, { worker: wanted.worker });
      return;
    case 'prioritize': {
      const { outcomes } = await request(PrioritizeRunsDocument, { ids: [wanted.runId], priority: wanted.priority });
      const [outcome] = outcomes;
      if (outcome?.done === false) throw new Error(outcome.message ?? 'nothing was done');
    }
  }
}

/** Does something with the queue or a worker. */
function useQueueAction() {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: act, onSettled: () => queryClient.invalidateQueries() });
}

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
