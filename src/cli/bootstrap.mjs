#!/usr/bin/env node
/**
 * The way into Warren from a fresh clone: installs and builds what is missing or out of date, then runs the command.
 * Plain JavaScript without dependencies, because nothing is installed yet. All messages go to stderr.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const OLDEST_NODE = [20, 19];
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

function say(message) {
  process.stderr.write(`warren: ${message}\n`);
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  say(
    `needs Node ${OLDEST_NODE.join('.')} or newer, this is ${process.versions.node}: install it from https://nodejs.org`,
  );
  process.exit(2);
}

/**
 * Resolves with the exit code; a signal counts as 1. Ctrl-C in a terminal reaches the child by itself, so SIGINT is passed on
 * only to a child that takes it twice for once. `withNpm`: the child ends, too, when the shell ends in which npm runs this program;
 * npm passes signals on to that shell alone, which does not.
 */
function execute(command, parameters, { passedOn = ['SIGTERM'], withNpm = false, ...options } = {}) {
  const child = spawn(command, parameters, { cwd: root, stdio: 'inherit', ...options });
  const ignore = () => {};
  process.on('SIGINT', ignore).on('SIGTERM', ignore);
  const forward = (signal) => child.kill(signal);
  for (const signal of passedOn) process.on(signal, forward);
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (!withNpm || process.env.npm_lifecycle_event === undefined || process.ppid === shell) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      process.off('SIGINT', ignore).off('SIGTERM', ignore);
      for (const signal of passedOn) process.off(signal, forward);
      clearInterval(watch);
      resolve(code ?? 1);
    });
  });
}

/**
 * Installs when the lock file is not the one that was installed. Install scripts stay off: none is needed, and some
 * download. Not `npm ci`: it refuses a lock file made where a registry had not every platform's optional packages.
 */
async function install() {
  const stamp = join(root, 'node_modules', '.warren-installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await withLock(join(root, '.warren-install.lock'), async () => {
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
    if (!existsSync(stamp) && isInstalledByNpm()) return writeFileSync(stamp, wanted);
    removeUnfinished(stamp);
    // Written again when all is done: without it, what is there now is not to be trusted.
    rmSync(stamp, { force: true });
    say('installing packages …');
    const npm = process.env.npm_execpath;
    const parameters = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    // npm's own words go to stderr: stdout belongs to the command.
    const options = { stdio: ['ignore', 2, 2] };
    const code = npm
      ? await execute(process.execPath, [npm, ...parameters], options)
      : await execute('npm', parameters, options);
    if (code !== 0) {
      say(`npm install failed with exit code ${code}; its messages are above`);
      process.exit(code);
    }
    writeFileSync(stamp, wanted);
  });
}

/** Whether somebody's own `npm ci` finished: npm's list of what it installed, written last, has all packages of the lock file. */
function isInstalledByNpm() {
  try {
    const listed = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8')).packages;
    const [wanted, found] = [listed('package-lock.json'), listed('node_modules', '.package-lock.json')];
    return Object.entries(wanted).every(([path, { version, optional, link }]) => {
      if (path === '' || link || (optional && !(path in found))) return true;
      const there = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
      return found[path].version === version && there.version === version;
    });
  } catch {
    // no list, another form of it, or a package that is not there
    return false;
  }
}

/**
 * npm takes a package folder that is there for a whole package: what an installation that was killed has left stays broken.
 * A link to a folder elsewhere is left to whoever made it; a folder that a volume is mounted on can only be emptied.
 */
function removeUnfinished(stamp) {
  const folder = dirname(stamp);
  if (existsSync(stamp) || !existsSync(folder) || lstatSync(folder).isSymbolicLink()) return;
  const names = readdirSync(folder);
  if (names.length === 0) return;
  say('node_modules comes from an installation that did not finish: removing it');
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
}

/** npm starts every command in this folder. What a command names lies where it was called; Warren's home stays here. */
function toCallersFolder() {
  const folder = process.env.INIT_CWD;
  if (!folder || !existsSync(folder) || realpathSync(process.cwd()) !== realpathSync(root)) return;
  process.env.WARREN_HOME = resolve(root, process.env.WARREN_HOME ?? '.warren');
  process.chdir(folder);
}

/** Of the words of a test command, those that are vitest's own: the others become variables that `test/config` reads. */
function withTestVariables(words) {
  return words.filter((word) => {
    const [option, value = ''] = word.split('=');
    if (option === '--times') process.env.WARREN_TEST_TIMES = '1';
    else if (option === '--changed') process.env.WARREN_TEST_CHANGED = value;
    else return true;
    return false;
  });
}

/** The same for the names of proofs, before any option: without one that is known, all are listed. */
function withProofs(words) {
  const proofs = JSON.parse(readFileSync(join(root, 'test', 'config', 'proofs.json'), 'utf8'));
  const end = words.findIndex((word) => word.startsWith('-'));
  const names = end < 0 ? words : words.slice(0, end);
  const unknown = names.filter((name) => !(name in proofs));
  if (names.length === 0 || unknown.length > 0) {
    say(unknown.length > 0 ? `there is no proof named ${unknown.join(', ')}` : 'expected the names of proofs');
    for (const [name, { what }] of Object.entries(proofs)) process.stderr.write(`  ${name}: ${what}\n`);
    process.exit(2);
  }
  process.env.WARREN_PROVE = names.join(',');
  return words.slice(names.length);
}

requireNode();
await install();
const { build } = await import('./build.mjs');
const [command, ...rest] = process.argv.slice(2);
try {
  await build({ root, say });
} catch (error) {
  say(`the build failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

if (command === 'build') {
  say('everything is built');
} else if (command === 'package') {
  const { writePackage } = await import('./writePackage.mjs');
  say(`wrote ${await writePackage(root)}`);
} else if (command === 'test' || command === 'prove' || command === 'bench') {
  const vitest = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', 'test/config/vitest.ts'];
  const words = command === 'bench' ? rest : withTestVariables(command === 'prove' ? withProofs(rest) : rest);
  const parameters = command === 'bench' ? [join(root, 'dist', 'bench.js'), ...words] : [...vitest, ...words];
  // Benchmarks start servers, which they end before they end themselves.
  const options = command === 'bench' ? { passedOn: ['SIGINT', 'SIGTERM'], withNpm: true } : {};
  process.exit(await execute(process.execPath, parameters, options));
} else {
  toCallersFolder();
  await import('../../dist/cli.js');
}
