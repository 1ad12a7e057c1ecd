import type { Command } from 'commander';
import { badInput } from '#src/base/contracts/errors.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

/** The commands of `warren project` that make, change and delete projects, through the API. */
export function addProjectChanges(project: Command, context: CommandContext): void {
  project
    .command('ls')
    .summary('list projects')
    .description('List projects with their runs, and when one of these began or ended last.')
    .option('--deleted', 'those in the trash')
    .option('--json', 'print JSON')
    .action(async (options: { deleted?: boolean; json?: boolean }) => {
      const { listProjects } = await import('./changeProjects.ts');
      await listProjects(context, { deleted: options.deleted === true, json: options.json === true });
    });
  project
    .command('create')
    .argument('<name>', 'a name that is not taken')
    .summary('make a project')
    .description(
      'Make a project, such as one for which tokens are to be made. A run makes the project that it names by itself.',
    )
    .option('--description <text>', 'what it is about', '')
    .option('--json', 'print JSON')
    .action(async (name: string, options: { description: string; json?: boolean }) => {
      const { createProject } = await import('./changeProjects.ts');
      await createProject(context, { name, description: options.description, json: options.json === true });
    });
  project
    .command('edit')
    .argument('<name>', 'the project')
    .summary('rename a project, or say what it is about')
    .description(
      'Rename a project, or say what it is about. Runs, sweeps, views, reports and tokens stay with it. A program that names the old name makes a new project.',
    )
    .option('--name <name>', 'its new name')
    .option('--description <text>', 'what it is about')
    .option('--json', 'print JSON')
    .action(async (name: string, options: { name?: string; description?: string; json?: boolean }) => {
      if (options.name === undefined && options.description === undefined) {
        throw badInput('nothing to change: give --name or --description', 'name');
      }
      const { editProject } = await import('./changeProjects.ts');
      const change = { name: options.name ?? null, description: options.description ?? null };
      await editProject(context, { project: name, ...change, json: options.json === true });
    });
  for (const deleted of [true, false]) {
    project
      .command(deleted ? 'delete' : 'undelete')
      .argument('<name>', 'the project')
      .summary(deleted ? 'move a project and its runs to the trash' : 'take a project back out of the trash')
      .description(
        deleted
          ? 'Move a project with all its runs to the trash, from which `warren clean` removes it for good. Refused while runs, sweeps or adaptive comparisons of it go on.'
          : 'Take a project back out of the trash, with the runs that went there with it.',
      )
      .option('--json', 'print JSON')
      .action(async (name: string, options: { json?: boolean }) => {
        const { moveProject } = await import('./changeProjects.ts');
        await moveProject(context, { project: name, deleted, json: options.json === true });
      });
  }
}
