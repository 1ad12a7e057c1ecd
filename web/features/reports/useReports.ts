import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  DeleteReportDocument,
  ReportMarkdownDocument,
  ReportPageDocument,
  type ReportPageQuery,
  type ReportRowFragment,
  ReportsDocument,
  RestoreReportDocument,
  SaveReportDocument,
  type SaveReportInput,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type ReportRow = ReportRowFragment;
export type ReportDetails = ReportPageQuery['report'];
export type { SaveReportInput };

/** Reports of a project, or of all; what was saved last comes first. */
export function useReports(project: string | null, inTrash: boolean) {
  return useQuery({
    queryKey: ['reports', project, inTrash],
    queryFn: async ({ signal }) => (await request(ReportsDocument, { project, inTrash }, signal)).reports,
    staleTime: 5_000,
  });
}

/** A report with its versions and the text of one of them, the newest without a number; of an old one also its runs of then. */
export function useReport(id: string, version: number | null) {
  return useQuery({
    queryKey: ['report', id, version],
    queryFn: async ({ signal }) => await readReport(id, version, signal),
    staleTime: 5_000,
  });
}

/** What `useReport` answers, once. */
export async function readReport(id: string, version: number | null, signal?: AbortSignal): Promise<ReportDetails> {
  const variables = { id, reportVersion: version, withPins: version !== null };
  return (await request(ReportPageDocument, variables, signal)).report;
}

/** A version as Markdown that needs no Warren; an old one with the runs of when it was saved, or with today's. */
export async function readReportMarkdown(id: string, version: number | null, today: boolean): Promise<string> {
  return (await request(ReportMarkdownDocument, { id, reportVersion: version, today })).report.markdown;
}

/** The number of a report's newest version now. */
export async function readNewestVersion(id: string): Promise<number> {
  return (await request(ReportPageDocument, { id, reportVersion: null, withPins: false })).report.version;
}

/** Makes a report, or a new version of one; answers it when the lists have it, too. */
export function useSaveReport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: SaveReportInput) => (await request(SaveReportDocument, { input })).saveReport,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['report'] });
      await queryClient.invalidateQueries({ queryKey: ['reports'] });
    },
  });
}

/** Moves a report into the trash, or out of it. */
export function useTrashReport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, trashed }: { id: string; trashed: boolean }) =>
      trashed
        ? (await request(DeleteReportDocument, { id })).deleteReport
        : (await request(RestoreReportDocument, { id })).restoreReport,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['report'] });
      await queryClient.invalidateQueries({ queryKey: ['reports'] });
    },
  });
}
