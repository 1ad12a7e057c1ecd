import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { Transform } from 'node:stream';
import { nodeStream } from '#src/base/platform/files/nodeStream.ts';
import { pipeline } from 'node:stream/promises';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import { meantOrThere } from '#src/base/lib/nearNames.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { fetchRunDetail, type RunDetail } from '#src/runs/command/fetchRuns.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

type RunFile = RunDetail['artifacts'][number];

/**
 * The body of `warren download`. Contents of media are left out unless they are named.
 * @throws WarrenError BAD_INPUT for names that the run has no file of; CONFLICT where another file is in the way.
 */
export async function downloadFiles(
  context: CommandContext,
  { id, names, folder, force }: { id: string; names: readonly string[]; folder: string; force: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const run = await fetchRunDetail(api, id);
  const files = chosenFiles(run, names);
  if (files.length === 0) {
    terminal.say(`warren: run ${run.number} has no files`);
    return;
  }
  const base = resolve(folder);
  const places = files.map((file) => ({ file, path: placeOf(base, file.name) }));
  const there = new Set<string>();
  for (const { file, path } of places) {
    const known = await sha256At(path);
    if (known === file.sha256) there.add(path);
    else if (known !== null && !force) {
      const advice = '--force writes over it, --output names another folder';
      throw new WarrenError('CONFLICT', `${path} is there with another content: ${advice}`);
    }
  }
  for (const { file, path } of places) {
    if (!there.has(path)) await fetchFile(api, { runId: run.id, file, path });
    terminal.print(`${printable(path)}  ${there.has(path) ? 'is here already' : formatBytes(Number(file.sizeBytes))}`);
  }
}

function chosenFiles({ number, artifacts }: RunDetail, names: readonly string[]): RunFile[] {
  const usual = artifacts.filter(({ role }) => role !== 'media');
  if (names.length === 0) return usual;
  const found = names.flatMap((given) => {
    const name = given.replace(/\/+$/, '');
    const files = artifacts.filter((file) => file.name === name || file.name.startsWith(`${name}/`));
    if (files.length > 0) return files;
    const known = usual.map((file) => file.name);
    throw badInput(`run ${number} has no file "${printable(given)}".${printable(meantOrThere(name, known))}`);
  });
  return [...new Set(found)];
}

/** @throws WarrenError BAD_INPUT for a name that leads out of the folder. */
function placeOf(base: string, name: string): string {
  const path = resolve(base, name);
  if (path.startsWith(base.endsWith(sep) ? base : base + sep)) return path;
  throw badInput(`the file "${printable(name)}" cannot be kept under that name`);
}

async function sha256At(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  if (!found.isFile()) throw new WarrenError('CONFLICT', `${path} is there and is no file`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Beside its place until it is whole. @throws WarrenError UNAVAILABLE where other bytes came than the run has */
async function fetchFile(
  api: ApiClient,
  { runId, file, path }: { runId: string; file: RunFile; path: string },
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.part-${process.pid}`;
  const hash = createHash('sha256');
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    const content = await api.download(`/artifacts/${runId}/${file.name.split('/').map(encodeURIComponent).join('/')}`);
    await pipeline(nodeStream(content), counted, createWriteStream(part));
    if (hash.digest('hex') !== file.sha256) {
      throw new WarrenError('UNAVAILABLE', `${file.name} changed while it was read: try again`);
    }
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
}
