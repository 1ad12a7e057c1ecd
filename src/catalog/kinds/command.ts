import { z } from 'zod';
import type { BuiltInKind } from '../kind.ts';

/** Names that a command's own parameters cannot have: they are members of its configuration. */
export const COMMAND_MEMBERS = ['command', 'code', 'folder', 'environment'] as const;

/** `none`, `auto`, or `container:` and an image as podman and docker name it. */
export const COMMAND_ENVIRONMENT = /^(?:none|auto|container:[A-Za-z0-9][\w./:@-]{0,300})$/;

export const commandParameters = z
  .object({
    command: z
      .array(z.string().max(10_000))
      .min(1)
      .max(1_000)
      .default(['true'])
      .describe('Program and arguments; {name} in them is the value of the parameter of that name, {seed} the seed.'),
    code: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'expected the 64 hexadecimal digits of a sha256')
      .nullable()
      .default(null)
      .describe('The sha256 of the archive (.tar.gz) in which the command is executed; null for an empty folder.'),
    folder: z
      .string()
      .max(1_000)
      .default('')
      .describe("The folder of the archive in which the program starts; empty for the archive's root."),
    environment: z
      .string()
      .regex(COMMAND_ENVIRONMENT, 'expected none, auto or container: with the name of an image')
      .default('none')
      .describe(
        'container:IMAGE runs it in a container of that image. auto: the packages of uv.lock, or else of requirements.txt, or else the dependencies in pyproject.toml, are installed for the program, once for each content of the file.',
      ),
  })
  .catchall(z.json());

export type CommandParameters = z.output<typeof commandParameters>;

export const commandKind: BuiltInKind<'command', typeof commandParameters> = {
  kind: 'command',
  version: 1,
  title: 'Command',
  description:
    'A program of your own, executed by a worker that was started with --allow-commands. `warren run -- COMMAND` and `enqueueCommand` queue one.',
  source: 'Your own.',
  parameters: commandParameters,
  data: 'none',
  presets: [],
  primaryMetric: 'loss',
};
