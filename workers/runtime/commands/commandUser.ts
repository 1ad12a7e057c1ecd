import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import type { CommandUser } from '#src/base/contracts/executorMessages.ts';

/** What a shell, or this process' own surroundings, would tell of another user. */
const OF_ANOTHER = ['TMPDIR', 'TMP', 'TEMP', 'XDG_RUNTIME_DIR', 'XDG_CACHE_HOME'];

/**
 * The Unix user as whom commands of users run.
 * @throws WarrenError BAD_INPUT where there is none of that name, it is root, or this process cannot become another.
 */
export function findCommandUser(name: string): Omit<CommandUser, 'cacheFolder'> {
  const path = 'WARREN_COMMAND_USER';
  if (process.getuid?.() !== 0) {
    throw badInput(
      `${path}: only a worker that root starts can run commands as ${name}; start it as ${name} itself`,
      path,
    );
  }
  const line = spawnSync('getent', ['passwd', name], { encoding: 'utf8' }).stdout ?? '';
  const [found, , uid, gid, , home] = line.trim().split(':');
  if (found !== name || uid === undefined || gid === undefined) {
    throw badInput(`${path}: this machine has no user "${name}"; \`useradd --system ${name}\` makes one`, path);
  }
  if (uid === '0') throw badInput(`${path}: expected a user without the rights of root, got "${name}"`, path);
  const user = { name, uid: Number(uid), gid: Number(gid), home: home === undefined || home === '' ? '/' : home };
  try {
    execFileSync('setpriv', ['--version'], { stdio: 'ignore' });
  } catch {
    throw badInput(`${path}: the program setpriv, of util-linux, is not on this machine`, path);
  }
  return user;
}

/** A command line that runs a command as the user, with that user's groups and without any way to more rights. */
export function asUser(user: CommandUser | null, command: readonly string[]): string[] {
  if (user === null) return [...command];
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--init-groups'];
  return ['setpriv', ...identity, '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs', '--', ...command];
}

/** The same surroundings for the user: a home, a name and caches of their own, `temporaryFolder` for files that pass. */
export function surroundingsOf(
  environment: NodeJS.ProcessEnv,
  { user, temporaryFolder }: { user: CommandUser | null; temporaryFolder: string },
): NodeJS.ProcessEnv {
  if (user === null) return environment;
  const kept = Object.entries(environment).filter(([name]) => !OF_ANOTHER.includes(name));
  return {
    ...Object.fromEntries(kept),
    HOME: user.home,
    USER: user.name,
    LOGNAME: user.name,
    TMPDIR: temporaryFolder,
    // a user of the system has no home that is there
    PIP_CACHE_DIR: join(user.cacheFolder, 'pip'),
    UV_CACHE_DIR: join(user.cacheFolder, 'uv'),
  };
}
