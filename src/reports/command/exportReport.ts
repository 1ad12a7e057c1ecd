import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { ExportReportDocument, ReportTextDocument, SharedPageDocument } from '#src/generated/api.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { printableLines } from '#src/base/lib/printable.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { createApiClient } from '#src/base/terminal/apiClient.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

export interface ExportReportOptions {
  format?: 'markdown' | 'html';
  version?: number;
  today?: boolean;
  output?: string;
}

/** The body of `warren report export`: a file that needs no Warren. */
export async function exportReportCommand(
  context: CommandContext,
  reference: string,
  { format, version, today = false, output }: ExportReportOptions,
): Promise<void> {
  const { terminal } = context;
  const { api, token, id } = await whereItIs(context, reference);
  const isHtml = (format ?? (/\.html?$/i.test(output ?? '') ? 'html' : 'markdown')) === 'html';
  if (isHtml) {
    // what is wrong with the request is said as by every command
    const { report } = await api.request(ReportTextDocument, { id, version: version ?? null });
    const text = await htmlOf({ url: api.url, token, id, version: version ?? null, today });
    if (output === undefined) return terminal.print(text.trimEnd());
    await write(output, text);
    return terminal.say(`warren: report ${report.number} is in ${output}`);
  }
  const { report } = await api.request(ExportReportDocument, { id, version: version ?? null, today });
  if (output === undefined) return terminal.print(printableLines(report.markdown, { colours: false }).trimEnd());
  await write(output, report.markdown);
  terminal.say(`warren: report ${report.number} is in ${output}`);
}

/** The report of a number or id, or that which a read-only link opens, on the server that the link names. */
async function whereItIs(context: CommandContext, reference: string) {
  const link = /^(https?:\/\/[^#]+?)\/+shared#(warren_share_[\w-]+)$/.exec(reference);
  if (link === null) {
    const api = await context.api();
    return { api, token: api.token, id: reference };
  }
  const [, url = '', token = ''] = link;
  const api = createApiClient({ url, token });
  const { server } = await api.request(SharedPageDocument, {});
  const id = /^\/reports\/([^/?]+)/.exec(server.caller.shared?.page ?? '')?.[1];
  if (id === undefined) throw badInput('the link opens something else than a report', 'report');
  return { api, token, id: decodeURIComponent(id) };
}

type ReportPage = (report: {
  url: string;
  token: string | null;
  id: string;
  version: number | null;
  today: boolean;
}) => Promise<string>;

/** The dashboard's own components write it: they are built apart, and take longer to load than all else here. */
async function htmlOf(report: Parameters<ReportPage>[0]): Promise<string> {
  const { reportPage } = (await import(pathToFileURL(builtFile('report-page.js')).href)) as { reportPage: ReportPage };
  return await reportPage(report).catch((error: unknown) => {
    throw new WarrenError('UNAVAILABLE', `report ${report.id} was not written: ${coerceError(error).message}`);
  });
}

async function write(output: string, text: string): Promise<void> {
  await writeFile(output, text).catch((error: unknown) => {
    throw badInput(`${output} cannot be written: ${coerceError(error).message}`, '--output');
  });
}
