import { type Command, Option } from 'commander';
import { z } from 'zod';
import { printable } from '#src/lib/printable.ts';
import { badInput, WarrenError } from '#src/contracts/errors.ts';
import type { Database } from '#src/platform/postgres/database.ts';
import type { CommandContext } from '../commandContext.ts';
import { findServices } from '../findServices.ts';
import { formatAge } from '../terminal/formatNumber.ts';
import { renderTable } from '../terminal/table.ts';

const ROLES = ['READ', 'WRITE', 'ADMIN'] as const;
const DAY_MS = 24 * 3600 * 1000;

export function addTokenCommand(program: Command, context: CommandContext): void {
  const token = program
    .command('token')
    .summary('API tokens')
    .description(
      'Tokens by which programs and people speak to an API that is not on loopback alone. They are made in the database\nitself: DATABASE_URL, or that of the running `warren up`.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  warren token create laptop --role WRITE --days 90\n  WARREN_TOKEN=… warren ls\n  warren token revoke laptop',
    );
  token
    .command('create')
    .summary('make a token; it is shown once')
    .description('Make a token and print it, once: only its sha256 is kept.')
    .argument('<name>', 'what it is for')
    .addOption(
      new Option('--role <role>', 'READ looks, WRITE also queues and logs, ADMIN also makes tokens')
        .choices(ROLES)
        .argParser(readRole)
        .default('WRITE'),
    )
    .option('--commands', 'also lets its holder queue commands, which workers started with --allow-commands execute')
    .option('--queue', 'also lets its holder pause the queue and drain workers, as an ADMIN may')
    .option('--days <n>', 'days until it ends; without it, until it is revoked', (text) => readDays(text))
    .action(
      (name: string, options: { role: (typeof ROLES)[number]; days?: number; commands?: boolean; queue?: boolean }) =>
        withDatabase(context, async (db) => {
          const { issueToken } = await import('#src/services/tokens/apiTokens.ts');
          const expiresAt = options.days === undefined ? null : new Date(Date.now() + options.days * DAY_MS);
          const issued = await issueToken(
            { db },
            {
              name,
              role: options.role,
              mayQueueCommands: options.commands === true,
              mayManageQueue: options.queue === true,
              expiresAt,
            },
          );
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
    .description('End a token: it opens nothing from now on.')
    .argument('<name>', 'its name')
    .action((name: string) =>
      withDatabase(context, async (db) => {
        const { revokeToken } = await import('#src/services/tokens/apiTokens.ts');
        await revokeToken({ db }, name);
        context.terminal.print(`${name}: revoked`);
      }),
    );
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

async function withDatabase(context: CommandContext, work: (db: Database) => Promise<void>): Promise<void> {
  const environment = context.environment();
  const services = await findServices(environment);
  if (services === null)
    throw new WarrenError(
      'UNAVAILABLE',
      `no database: set DATABASE_URL, or start \`warren up\` (none runs in ${environment.home})`,
    );
  const { applyMigrations } = await import('#src/platform/postgres/migrations.ts');
  const { closeDatabase, openDatabase } = await import('#src/platform/postgres/database.ts');
  await applyMigrations(services.databaseUrl); // the first token may come before the first start of the API
  const db = openDatabase(services.databaseUrl, { poolSize: 1 });
  try {
    await work(db);
  } finally {
    await closeDatabase(db);
  }
}

async function listAll({ terminal }: CommandContext, db: Database, json: boolean): Promise<void> {
  const { listTokens } = await import('#src/services/tokens/apiTokens.ts');
  const tokens = await listTokens({ db });
  if (json) {
    terminal.print(JSON.stringify(tokens, null, 2));
    return;
  }
  const now = new Date();
  const rows = tokens.map((token) => [
    printable(token.name),
    [token.role, ...(token.mayQueueCommands ? ['commands'] : []), ...(token.mayManageQueue ? ['queue'] : [])].join(
      ', ',
    ),
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
  const columns = ['NAME', 'ROLE', 'MADE', 'USED', 'ENDS'].map((header) => ({ header }));
  terminal.print(renderTable(columns, rows, { styleHeader: terminal.colours.bold }).join('\n'));
}
