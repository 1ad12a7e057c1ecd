import { type Workspace, workspaceSchema } from '#src/base/contracts/workspace.ts';

/** The workspace as nobody changed it. */
export const USUAL: Workspace = workspaceSchema.parse({});

/** The workspace that an address holds as JSON; the usual one where there is none, or one that cannot be read. */
export function readWorkspace(text: string | undefined): Workspace {
  if (text === undefined) return USUAL;
  try {
    const parsed = workspaceSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : USUAL;
  } catch {
    return USUAL;
  }
}

/** The workspace as an address holds it: what is otherwise than usual alone; undefined where nothing is. */
export function writeWorkspace(workspace: Workspace): string | undefined {
  const panels = workspace.panels.map(({ fields, width, height, settings, ...rest }) => ({
    ...rest,
    ...(fields.length === 0 ? {} : { fields }),
    ...(width === 1 ? {} : { width }),
    ...(height === 1 ? {} : { height }),
    ...(isEmpty(settings) ? {} : { settings }),
  }));
  const changed = Object.fromEntries(
    Object.entries({ ...workspace, panels }).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(USUAL[key as keyof Workspace]),
    ),
  );
  return isEmpty(changed) ? undefined : JSON.stringify(changed);
}

/** The workspace of a saved view as an address holds it; undefined where it is as usual, or cannot be read. */
export function workspaceText(saved: unknown): string | undefined {
  const parsed = workspaceSchema.safeParse(saved);
  return parsed.success ? writeWorkspace(parsed.data) : undefined;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
