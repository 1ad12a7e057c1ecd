import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AdministrationDocument, type AdministrationQuery, EmptyTrashDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type Administration = AdministrationQuery['administration'];
export type AdminWorker = AdministrationQuery['workers'][number];

const POLL_MS = 10_000;

/** How the server is; asked again every ten seconds. */
export function useAdministration() {
  return useQuery({
    queryKey: ['administration'],
    queryFn: ({ signal }) => request(AdministrationDocument, {}, signal),
    refetchInterval: POLL_MS,
  });
}

/** Deletes all that is in the trash for good; answers how much went. */
export function useEmptyTrash() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      let runs = 0;
      let bytes = 0;
      for (;;) {
        const { emptyTrash } = await request(EmptyTrashDocument, { olderThanDays: 0, dryRun: false });
        runs += emptyTrash.runs;
        bytes += emptyTrash.bytes;
        if (emptyTrash.remaining === 0 || emptyTrash.runs === 0) return { runs, bytes };
      }
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
}
