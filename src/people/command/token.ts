import { type Command, Option } from 'commander';
import { z } from 'zod';
import { printable } from '#src/base/lib/printable.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import type { GrantedToken, NewGrant } from '#src/people/apiTokens.ts';
import type { Database } from '#src/base/platform/postgres/database.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { recordCommand } from '#src/audit/command/recordCommand.ts';
import { withDatabase } from '#src/base/terminal/withDatabase.ts';
import { formatAge } from '#src/base/terminal/formatNumber.ts';

const ROLES = ['READ', 'WRITE', 'ADMIN'] as const;
const DAY_MS = 24 * 3600 * 1000;

export function addTokenCommand(program: Command, context: CommandContext): void {
  const token = program
    .command('token')
    .summary('make, list and revoke API tokens')
    .description(
      'Make, list and revoke the tokens that an API asks for when it listens on other addresses than loopback. The command works on the database itself: that of DATABASE_URL, or of the running `warren up`.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  warren token create laptop --role WRITE --days 90\n  warren token create ann --project papers --project books=READ\n  WARREN_TOKEN=… warren ls\n  warren token revoke laptop',
    );
  token
    .command('create')
    .summary('make a token; it is shown once')
    .description('Make a token and print it, once: only its sha256 is kept.')
    .argument('<name>', 'what it is for')
    .addOption(
      new Option('--role <role>', 'READ sees runs, WRITE also queues and logs, ADMIN also makes tokens')
        .choices(ROLES)
        .argParser(readRole)
        .default('WRITE'),
    )
    .option('--commands', 'also lets its holder queue commands, which workers started with --allow-commands execute')
    .option(
      '--project <name[=role]>',
      'work in this project alone, with --role or a role of its own; may be given several times',
      (value: string, before: string[] = []) => [...before, value],
    )
    .option('--queue', 'also lets its holder pause the queue and drain workers, as an ADMIN may')
    .option('--days <n>', 'days until it ends; without it, until it is revoked', (text) => readDays(text))
    .action((name: string, options: CreateOptions) =>
      withDatabase(context, async (db) => {
        const { issueToken } = await import('#src/people/apiTokens.ts');
        const expiresAt = options.days === undefined ? null : new Date(Date.now() + options.days * DAY_MS);
        const grants = options.project?.map((given) => readGrant(given, options));
        const issued = await issueToken(
          { db },
          {
            name,
            role: options.role,
            mayQueueCommands: options.commands === true,
            mayManageQueue: options.queue === true,
            grants,
            expiresAt,
          },
        );
        const facts = { role: options.role, commands: options.commands === true, queue: options.queue === true };
        const projectIds = issued.record.grants.map(({ projectId }) => projectId);
        await recordCommand(db, { action: 'issueToken', objects: [name], projectIds, details: facts });
        context.terminal.print(issued.token);
        context.terminal.say(
          `warren: this is the only time that it is shown; use it as WARREN_TOKEN or "Authorization: Bearer …"`,
        );
      }),
    );
  token
    .command('ls')
    .summary('list tokens')
    .description('List tokens: role, last use, end. The tokens themselves are not kept.')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withDatabase(context, (db) => listAll(context, db, options.json === true)),
    );
  token
    .command('revoke')
    .summary('end a token now')
    .description('Revoke a token: it is refused from now on.')
    .argument('<name>', 'its name')
    .action((name: string) =>
      withDatabase(context, async (db) => {
        const { revokeToken } = await import('#src/people/apiTokens.ts');
        const { grants } = await revokeToken({ db }, name);
        await recordCommand(db, {
          action: 'revokeToken',
          objects: [name],
          projectIds: grants.map(({ projectId }) => projectId),
        });
        context.terminal.print(`${name}: revoked`);
      }),
    );
}

interface CreateOptions {
  role: (typeof ROLES)[number];
  days?: number;
  commands?: boolean;
  queue?: boolean;
  project?: string[];
}

/** `papers` or `papers=READ`. */
function readGrant(given: string, { role, commands = false }: CreateOptions): NewGrant {
  const [, project = given, named] = /^(.+)=(READ|WRITE|ADMIN)$/i.exec(given) ?? [];
  const right = named === undefined ? role : readRole(named);
  return { project, role: right, mayQueueCommands: commands && right !== 'READ' };
}

function readRole(text: string): (typeof ROLES)[number] {
  const role = z.enum(ROLES).safeParse(text.toUpperCase());
  if (!role.success) throw badInput(`expected ${ROLES.join(', ')}, not "${text}"`, '--role');
  return role.data;
}

function readDays(text: string): number {
  const days = z.coerce.number().positive().max(36_500).safeParse(text);
  if (!days.success) throw badInput(`expected days, such as 90, not "${text}"`, '--days');
  return days.data;
}

/** `WRITE, commands`, or `papers: WRITE; books: READ`. */
function describeRights(token: GrantedToken): string {
  const words = (role: string, commands: boolean): string => (commands ? `${role}, commands` : role);
  if (token.namedProjects) {
    const grants = token.grants.map(
      ({ project, role, mayQueueCommands }) => `${printable(project)}: ${words(role, mayQueueCommands)}`,
    );
    return grants.join('; ') || 'nothing';
  }
  return `${words(token.role, token.mayQueueCommands)}${token.mayManageQueue ? ', queue' : ''}`;
}

async function listAll({ terminal }: CommandContext, db: Database, json: boolean): Promise<void> {
  const { listTokens } = await import('#src/people/apiTokens.ts');
  const tokens = await listTokens({ db });
  if (json) {
    terminal.print(JSON.stringify(tokens, null, 2));
    return;
  }
  const now = new Date();
  const rows = tokens.map((token) => [
    printable(token.name),
    describeRights(token),
    formatAge(token.createdAt, now),
    token.lastUsedAt === null ? 'never' : formatAge(token.lastUsedAt, now),
    token.revokedAt !== null
      ? 'revoked'
      : token.expiresAt === null
        ? 'when revoked'
        : token.expiresAt < now
          ? 'has ended'
          : token.expiresAt.toISOString().slice(0, 10),
  ]);
  if (rows.length === 0) {
    terminal.say('warren: there are no tokens; `warren token create NAME` makes one');
    return;
  }
  const { renderTable } = await import('#src/base/terminal/table.ts');
  const columns = ['NAME', 'ROLE', 'MADE', 'USED', 'ENDS'].map((header) => ({ header }));
  terminal.print(renderTable(columns, rows, { styleHeader: terminal.colours.bold }).join('\n'));
}
