import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { OPTIONAL_PARTS, type OptionalPart } from '#src/base/contracts/optionalParts.ts';
import { sizeOption } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { addProjectChanges } from '#src/projects/command/projectChanges.ts';

export function addProjectCommand(program: Command, context: CommandContext): void {
  const project = program
    .command('project')
    .summary('list, make, rename, delete, export, import and limit projects')
    .description(
      'List, make, rename and delete projects, take one from one server to another by a file, or limit the disk space of its artifacts.',
    )
    .addHelpText(
      'after',
      '\nexport and import read the database of DATABASE_URL, or the embedded one of WARREN_HOME, running or not, and the\nartifacts of WARREN_HOME: run them where the API runs. All others ask the API.\n\nExamples:\n  warren project create papers --description "For the camera-ready version"\n  warren project export papers papers.tar.gz\n  warren project import papers.tar.gz',
    );
  addProjectChanges(project, context);
  addUsageCommand(project, context);
  addQuotaCommand(project, context);
  addExportCommand(project, context);
  addImportCommand(project, context);
}

function addUsageCommand(project: Command, context: CommandContext): void {
  project
    .command('usage')
    .summary('list the disk space that the artifacts of each project take')
    .description(
      'List projects by the disk space of their artifacts: equal files counted once, those of runs in the trash included.',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { showProjectStorage } = await import('#src/artifacts/command/projectStorage.ts');
      await showProjectStorage(context, { json: options.json === true });
    });
}

function addQuotaCommand(project: Command, context: CommandContext): void {
  project
    .command('quota')
    .argument('<name>', 'the project')
    .argument('<size>', 'such as 512K, 100M, 20G or 1T; bytes without a unit; or none', (text: string) =>
      text === 'none' ? null : sizeOption('size')(text),
    )
    .summary('limit the disk space of its artifacts')
    .description(
      'Limit the disk space of the artifacts of a project. Uploads beyond the limit are refused; what is there stays. Needs the role ADMIN.',
    )
    .option('--json', 'print JSON')
    .action(async (name: string, bytes: number | null, options: { json?: boolean }) => {
      const { setProjectQuota } = await import('#src/artifacts/command/projectStorage.ts');
      await setProjectQuota(context, { project: name, bytes, json: options.json === true });
    });
}

function addExportCommand(project: Command, context: CommandContext): void {
  project
    .command('export')
    .argument('<name>', 'the project')
    .argument('<file>', 'the archive to write, a tar file; compressed where it ends in .gz; it must not exist yet')
    .summary('write a project with its runs, sweeps and reports into one file')
    .description(
      'Write a project into one archive, readable by its owner only: runs that have ended with all that belongs to them, sweeps, views, reports, and adaptive comparisons that have ended. Runs in the trash, alert rules and share links are not in it. Runs may go on meanwhile.',
    )
    .addOption(
      new Option('--without <parts>', 'leave out artifacts, logs or points, separated by commas').argParser(readParts),
    )
    .addOption(
      new Option(
        '--for-studies',
        'of points and artifacts only what the figures and tests of `warren reproduce` read, and no logs',
      ).conflicts('without'),
    )
    .option('--verbose', 'also say how many rows each table has')
    .option('--json', 'print JSON')
    .action(
      (
        name: string,
        file: string,
        options: { verbose?: boolean; without?: OptionalPart[]; forStudies?: boolean; json?: boolean },
      ) =>
        withHome(context, async ({ databaseUrl, artifacts, onProgress, signal }) => {
          const { exportProject } = await import('#src/backup/exportProject.ts');
          const { describeBackup } = await import('#src/backup/command/describeBackup.ts');
          const path = resolve(file);
          const without = options.without ?? [];
          const summary = await exportProject({
            project: name,
            path,
            without,
            databaseUrl,
            artifacts,
            onProgress,
            ...(options.verbose === true && { onTable: onProgress }),
            signal,
            forStudies: options.forStudies === true,
          });
          const { recordCommandAt } = await import('#src/audit/command/recordCommand.ts');
          await recordCommandAt(databaseUrl, { action: 'exportProject', objects: [path], projectNames: [name] });
          if (summary.missingArtifacts.length > 0) context.exitCode = EXIT_FAILED;
          if (options.json === true) return context.terminal.print(JSON.stringify({ file: path, ...summary }, null, 2));
          const { describeProject, describeLeftBehind } = await import('#src/backup/command/describeArchive.ts');
          context.terminal.print(`${path}: ${describeBackup(summary)}${describeProject(summary.tables)}`);
          const left = describeLeftBehind(summary.leftBehind);
          if (left !== null) context.terminal.say(`warren: ${left}`);
        }),
    );
}

function addImportCommand(project: Command, context: CommandContext): void {
  project
    .command('import')
    .argument('<file>', 'an archive that `warren project export` wrote')
    .summary('import a project from such a file')
    .description(
      'Import the runs, sweeps, views, reports and adaptive comparisons of an archive. They keep their ids and get new numbers. What is here already stays as it is, so that importing again adds nothing.',
    )
    .option('--into <name>', 'name of the project here; made if there is none')
    .option('--verbose', 'also say how many rows each table has')
    .option('--json', 'print JSON')
    .action((file: string, options: { into?: string; verbose?: boolean; json?: boolean }) =>
      withHome(context, async ({ databaseUrl, artifacts, onProgress, signal }) => {
        const { importProject } = await import('#src/backup/importProject.ts');
        const path = resolve(file);
        const summary = await importProject({
          path,
          databaseUrl,
          artifacts,
          onProgress,
          ...(options.verbose === true && { onTable: onProgress }),
          signal,
          ...(options.into !== undefined && { into: options.into }),
        });
        const { recordCommandAt } = await import('#src/audit/command/recordCommand.ts');
        await recordCommandAt(databaseUrl, {
          action: 'importProject',
          objects: [path],
          projectNames: [summary.project],
        });
        if (options.json === true) context.terminal.print(JSON.stringify(summary, null, 2));
        else {
          const { describeImport } = await import('#src/backup/command/describeArchive.ts');
          context.terminal.print(describeImport(summary));
        }
      }),
    );
}

function readParts(text: string): OptionalPart[] {
  return text.split(',').map((word) => {
    const part = OPTIONAL_PARTS.find((one) => one === word.trim());
    if (part === undefined) throw new InvalidArgumentError(`Expected some of ${OPTIONAL_PARTS.join(', ')}.`);
    return part;
  });
}

interface HomeAccess {
  databaseUrl: string;
  artifacts: ArtifactStore;
  onProgress(message: string): void;
  signal: AbortSignal;
}

async function withHome(context: CommandContext, work: (access: HomeAccess) => Promise<void>): Promise<void> {
  const { openHome } = await import('#src/base/terminal/openHome.ts');
  const { untilInterrupted } = await import('#src/base/terminal/untilInterrupted.ts');
  await untilInterrupted(context, async (signal) => {
    const home = await openHome(context.environment(), { exclusive: false });
    try {
      const { databaseUrl, artifacts } = home;
      const onProgress = (message: string) => context.terminal.say(`warren: ${message}`);
      await work({ databaseUrl, artifacts, onProgress, signal });
    } finally {
      await home.close();
    }
  });
}
