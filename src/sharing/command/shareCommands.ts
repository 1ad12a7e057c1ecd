import { badInput } from '#src/base/contracts/errors.ts';
import {
  CreateShareLinkDocument,
  type ShareLinkFactsFragment,
  ShareLinksDocument,
  WithdrawShareLinkDocument,
} from '#src/generated/api.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { renderTable } from '#src/base/terminal/table.ts';

const DAY_MS = 24 * 3600 * 1000;

interface LinkRequest {
  report?: string;
  project?: string;
  filter?: string;
  title?: string;
  days?: string;
  withProgram?: boolean;
  json?: boolean;
}

/** The body of `warren share`: makes a link and prints its address, once. */
export async function makeLink(
  { terminal, api }: CommandContext,
  runs: readonly string[],
  { report, project, filter, title, days, withProgram = false, json = false }: LinkRequest,
): Promise<void> {
  if (runs.length > 0 && (project !== undefined || filter !== undefined)) {
    throw badInput('give runs or --project, not both', '--project');
  }
  const span = days === undefined ? null : Number(days);
  if (span !== null && !(span > 0 && span <= 36_500))
    throw badInput(`expected days, such as 30, not "${days}"`, '--days');
  const expiresAt = span === null ? null : new Date(Date.now() + span * DAY_MS).toISOString();
  const client = await api();
  const { createShareLink: made } = await client.request(CreateShareLinkDocument, {
    input: {
      runs: [...runs],
      report: report ?? null,
      project: project ?? null,
      filter: filter ?? null,
      title: title ?? null,
      withProgram,
      expiresAt,
    },
  });
  const address = `${client.url}${made.address}`;
  if (json) return terminal.print(JSON.stringify({ address, ...made.link }, null, 2));
  terminal.print(address);
  const end = expiresAt === null ? 'until it is withdrawn' : `until ${expiresAt.slice(0, 10)}`;
  terminal.say(`warren: "${printable(made.link.title)}", ${end}; this is the only time that the address is shown`);
}

/** The body of `warren share ls`. */
export async function listLinks(
  { terminal, api }: CommandContext,
  { project, json = false }: { project?: string; json?: boolean },
): Promise<void> {
  const { shareLinks } = await (await api()).request(ShareLinksDocument, { project: project ?? null });
  if (json) return terminal.print(JSON.stringify(shareLinks, null, 2));
  if (shareLinks.length === 0) return terminal.say('warren: there are no links; `warren share RUN` makes one');
  const rows = shareLinks.map((link) => [
    link.id.slice(0, 8),
    printable(link.title),
    printable(link.project),
    printable(link.madeBy),
    link.usedAt?.slice(0, 10) ?? 'never',
    endOf(link),
  ]);
  const columns = ['ID', 'TITLE', 'PROJECT', 'BY', 'USED', 'ENDS'].map((header) => ({ header }));
  terminal.print(renderTable(columns, rows, { styleHeader: terminal.colours.bold }).join('\n'));
}

function endOf({ withdrawnAt, expiresAt }: ShareLinkFactsFragment): string {
  if (withdrawnAt !== null) return 'withdrawn';
  if (expiresAt === null) return 'when withdrawn';
  return new Date(expiresAt) < new Date() ? 'has ended' : expiresAt.slice(0, 10);
}

/** The body of `warren share withdraw`. */
export async function withdrawLink({ terminal, api }: CommandContext, id: string): Promise<void> {
  const client = await api();
  const { shareLinks } = await client.request(ShareLinksDocument, { project: null });
  const found = shareLinks.filter((link) => link.id.startsWith(id.toLowerCase()));
  const [link] = found;
  if (link === undefined) throw badInput(`there is no link ${id}; \`warren share ls\` lists them`, 'id');
  if (found.length > 1) throw badInput(`${id} begins the ids of ${found.length} links; give more of it`, 'id');
  await client.request(WithdrawShareLinkDocument, { id: link.id });
  terminal.print(`${printable(link.title)}: withdrawn`);
}
