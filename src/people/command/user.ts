import type { Command } from 'commander';
import { badInput } from '#src/base/contracts/errors.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { Database } from '#src/base/platform/postgres/database.ts';
import type { GrantedUser, UserGrants } from '#src/people/users.ts';
import { recordCommand } from '#src/audit/command/recordCommand.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { withDatabase } from '#src/base/terminal/withDatabase.ts';
import { formatAge } from '#src/base/terminal/formatNumber.ts';

interface GrantOptions {
  project?: string[];
  commands?: boolean;
}

export function addUserCommand(program: Command, context: CommandContext): void {
  const user = program
    .command('user')
    .summary('list people who sign in, and set their rights')
    .description(
      'List people who have signed in through an OpenID provider (WARREN_OIDC_ISSUER), and set their rights. The command works on the database itself: that of DATABASE_URL, or of the running `warren up`.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  warren user ls\n  warren user grant ann@example.org --project papers=WRITE\n  warren user grant ann@example.org --project papers=NONE\n  warren user disable ann@example.org',
    );
  user
    .command('ls')
    .summary('list users')
    .description('List who has signed in, with rights and last visit.')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withDatabase(context, (db) => listAll(context, db, options.json === true)),
    );
  user
    .command('grant')
    .summary('give somebody rights in projects')
    .description(
      'Give somebody rights in projects in addition to those of their groups, or take them away. Takes effect at once.',
    )
    .argument('<user>', 'address that the provider has verified, or id')
    .option(
      '--project <name=role>',
      'READ, WRITE or ADMIN in this project, or NONE to take away what was given; may be given several times',
      (value: string, before: string[] = []) => [...before, value],
    )
    .option(
      '--commands',
      'also allow queueing commands, in these projects (without --project: wherever the role is WRITE)',
    )
    .option('--no-commands', 'no longer allow queueing commands wherever the role is WRITE')
    .action((who: string, options: GrantOptions) =>
      withDatabase(context, async (db) => {
        const { grantUser } = await import('#src/people/users.ts');
        const change = readChange(options);
        const changed = await grantUser({ db }, who, change);
        const projectIds = changed.grants.map(({ projectId }) => projectId);
        const details = { user: who, grants: change.grants, withdraw: change.withdraw };
        await recordCommand(db, { action: 'grantUser', objects: [changed.label], projectIds, details });
        context.terminal.print(`${printable(changed.label)}: ${describeRights(changed)}`);
      }),
    );
  user
    .command('disable')
    .summary('disable somebody now')
    .description(
      'Disable somebody: their sessions end now, signing in is refused, and the tokens and links that they made are void.',
    )
    .argument('<user>', 'address that the provider has verified, or id')
    .option('--keep-tokens', 'tokens and links that the person has made go on')
    .action((who: string, { keepTokens: keepMade = false }: { keepTokens?: boolean }) =>
      withDatabase(context, async (db) => {
        const { disableUser } = await import('#src/people/users.ts');
        const { user: changed, ended } = await disableUser({ db }, who, { keepMade });
        const details = { user: who, disabled: true, keepTokens: keepMade, tokens: ended.tokens, links: ended.links };
        await recordCommand(db, { action: 'disableUser', objects: [changed.label], details });
        context.terminal.print(`${printable(changed.label)}: disabled`);
        for (const token of ended.tokens) context.terminal.print(`  its token ${printable(token)} is void`);
        if (ended.links > 0) context.terminal.print(`  its links are withdrawn: ${ended.links}`);
      }),
    );
  user
    .command('enable')
    .summary('enable somebody again')
    .description('Enable somebody who was disabled. Tokens and links that were voided stay void.')
    .argument('<user>', 'address that the provider has verified, or id')
    .action((who: string) =>
      withDatabase(context, async (db) => {
        const { enableUser } = await import('#src/people/users.ts');
        const changed = await enableUser({ db }, who);
        const details = { user: who, disabled: false };
        await recordCommand(db, { action: 'disableUser', objects: [changed.label], details });
        context.terminal.print(`${printable(changed.label)}: enabled`);
      }),
    );
}

/** `papers=WRITE`, `papers=NONE`. */
function readChange({ project = [], commands }: GrantOptions): UserGrants {
  const read = project.map((given) => {
    const [, name, role] = /^(.+)=(READ|WRITE|ADMIN|NONE)$/i.exec(given) ?? [];
    if (name !== undefined && role !== undefined) return { name, role: role.toUpperCase() };
    throw badInput(
      `expected a project and READ, WRITE, ADMIN or NONE, such as papers=WRITE, not "${given}"`,
      '--project',
    );
  });
  const grants = read.flatMap(({ name, role }) => {
    if (role !== 'READ' && role !== 'WRITE' && role !== 'ADMIN') return [];
    return [{ project: name, role, mayQueueCommands: commands === true && role !== 'READ' } as const];
  });
  const withdraw = read.flatMap(({ name, role }) => (role === 'NONE' ? [name] : []));
  return { grants, withdraw, mayQueueCommands: project.length === 0 ? commands : undefined };
}

/** `all projects: READ; papers: WRITE, commands`. */
function describeRights({ role, mayQueueCommands, grants, disabledAt }: GrantedUser): string {
  const words = (right: string, commands: boolean): string => (commands ? `${right}, commands` : right);
  const rights = grants.map((grant) => `${printable(grant.project)}: ${words(grant.role, grant.mayQueueCommands)}`);
  const all = role === null ? [] : [`all projects: ${words(role, mayQueueCommands)}`];
  const shown = [...all, ...rights].join('; ') || 'nothing';
  return disabledAt === null ? shown : `disabled (${shown})`;
}

async function listAll({ terminal }: CommandContext, db: Database, json: boolean): Promise<void> {
  const { listGrantedUsers } = await import('#src/people/users.ts');
  const users = await listGrantedUsers({ db });
  if (json) return terminal.print(JSON.stringify(users, null, 2));
  if (users.length === 0) return terminal.say('warren: nobody has signed in yet; docs/deploy.md says how people do');
  const now = new Date();
  const rows = users.map((user) => [
    printable(user.emailVerified ? user.email : user.id),
    printable(user.emailVerified ? user.name : user.label),
    describeRights(user),
    user.seenAt === null ? 'never' : formatAge(user.seenAt, now),
  ]);
  const { renderTable } = await import('#src/base/terminal/table.ts');
  const columns = ['USER', 'NAME', 'RIGHTS', 'LAST SEEN'].map((header) => ({ header }));
  terminal.print(renderTable(columns, rows, { styleHeader: terminal.colours.bold }).join('\n'));
}
