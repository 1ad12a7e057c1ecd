import { type Aside, toldAside } from './core/aside.ts';
import { apiOver } from './core/api.ts';
import { anew } from './core/anew.ts';
import { deliveryOf } from './core/delivery.ts';
import type { Packed } from './core/media.ts';
import type { Api } from './declarations/reading.mjs';
import { type JournalRecord, type KeptMedia, type Position, START } from './core/records.ts';
import { newestRunFunctions } from './core/newestRun.ts';
import type { RecordStore } from './core/recordStore.ts';
import { type FinishOptions, type Outlet, type Run, runOver } from './core/run.ts';
import { sendUntilFinished } from './core/sender.ts';
import {
  checkedResume,
  checkResume,
  findRun,
  forkPlaceOf,
  nextStep,
  parametersBefore,
  reopenRun,
  uuidOf,
} from './core/resuming.ts';
import { createAtOnce, type InitOptions, runInput, tellIgnored } from './core/starting.ts';
import { Unreachable } from './core/failures.ts';
import { sha256Of } from './core/sha256.ts';
import { type Transport, transportTo } from './core/transport.ts';
import { parametersOf } from './core/values.ts';
import { namedBy, versionOf } from './core/versions.ts';
import { warn } from './core/warn.ts';

export { Audio, Chart, Histogram, Html, Image, Table, Text, Video } from './core/media.ts';
export { plot } from './core/plot.ts';
export type { Api, ReadGroup, ReadRun, ReadSweep, RunsQuery } from './declarations/reading.mjs';
export type { LogPlace, MetricDefinition, Run } from './core/run.ts';
export { Refused, Unreachable } from './core/failures.ts';

let current: { run: Run; keepFile(name: string, content: Blob): void } | null = null;

function open() {
  if (current === null) throw new Error('await init() must be called first');
  return current;
}

/** Reads what a server has, whoever logged it: runs, their parameters, values, curves, logs and files. */
export function api(options: { server: string; token?: string }): Api {
  return apiOver(transportTo(options.server, options.token ?? null));
}

/** Starts a run of a page. What is logged waits in the page's memory: a closed tab loses what was not sent. */
export async function init(options: InitOptions & { server: string }): Promise<Run> {
  const transport = transportTo(options.server, options.token ?? null);
  const resume = checkedResume(options.resume);
  tellIgnored(options);
  const { id: given, project = 'default' } = options;
  const id = given === undefined ? crypto.randomUUID() : await uuidOf(project, given);
  const own = parametersOf(options.config);
  const environment = { program: 'a web page', browser: globalThis.navigator?.userAgent ?? '' };
  const fork = await forkPlaceOf({ forkFrom: options.forkFrom, resume }, project);
  const input = runInput(options, { id, project, parameters: own, environment, heartbeats: true, fork });
  const found = given === undefined ? null : await findRun(transport, id);
  checkResume(resume, { id: given, found: found !== null, kept: false, isOwn: false });
  if (found !== null && found.state !== 'RUNNING') await reopenRun(transport, id);
  const known = await parametersBefore(transport, { fork, resumed: found === null ? null : id });
  const parameters = { ...known, ...own };
  const memory = recordsInMemory();
  memory.records.push(['run', input, { mode: 'online', server: transport.url, resume: resume !== undefined }]);
  // a run that is there keeps the parameters that it began with: these go over them
  if (found !== null && Object.keys(own).length > 0) memory.records.push(['parameters', own]);
  const delivery = deliveryOf(memory.store, transport, id, { isOwn: true });
  const number = await createAtOnce(delivery, input, 'the memory of the page');
  let patience: number | null = null;
  const sending = sendUntilFinished({
    delivery,
    patience: () => patience,
    isAway: number === null,
    kept: 'the memory of the page',
    onEnded: (reason) => warn(`${reason}: what is logged from now on is not sent`),
  });
  const outlet: Outlet = {
    append: (record) => memory.append(() => record),
    keepMedia: (name, step, things) => memory.append(() => memory.media(name, step, things)),
    async close(seconds) {
      await memory.settled();
      patience = seconds;
      const outcome = await sending;
      const unstored = toldAside(memory.store.aside());
      if (unstored !== null) warn(`not stored: ${unstored}`);
      if (outcome !== 'sent') warn('not all is sent: it is lost when the page is closed');
    },
  };
  const url = number === null ? null : `${transport.url}/runs/${number}`;
  const firstStep = nextStep(found, null, fork);
  const run = runOver(outlet, {
    id,
    number,
    url,
    firstStep,
    seed: found?.seed ?? input.seed,
    takesSeed: options.seed === undefined,
    parameters,
  });
  current = {
    run,
    keepFile: (name, content) =>
      memory.append(() => ['artifact', name, memory.keep(content), content.type || 'application/octet-stream']),
  };
  return run;
}

export const { log, config, summary, defineMetric, alert, logText } = newestRunFunctions(() => open().run);

/** Keeps a file with the run. */
export function logArtifact(content: Blob, name: string): void {
  open().keepFile(name, content);
}

/**
 * A file of a run, `RUN:NAME` by id or number, or of a registered version, such as `ranker@production`, which the newest run is noted to have taken.
 */
export async function useArtifact(
  reference: string,
  { server, token }: { server: string; token?: string },
): Promise<Blob> {
  const named = namedBy(reference);
  const transport = transportTo(server, token ?? null);
  if ('run' in named) return wholeOf(transport, named.run, named.name);
  const { name, files, runId } = await versionOf(transport, named, undefined);
  const [file] = files;
  if (file === undefined || files.length > 1) {
    throw new TypeError(
      `useArtifact: ${name} has ${files.length} files: say which, as ${name}/${file?.path ?? 'NAME'}`,
    );
  }
  const content = await wholeOf(transport, runId, file.artifactName, file.sha256);
  current?.run.noteUse(name);
  return content;
}

/** A file of a run, whole and of the right sum where that can be counted. What breaks off goes on where it was. */
function wholeOf(transport: Transport, runId: string, name: string, wanted?: string): Promise<Blob> {
  const begun: { bytes: number; tag: string | null } = { bytes: 0, tag: null };
  let parts: Uint8Array<ArrayBuffer>[] = [];
  const receive = async () => {
    const options = { ...(wanted === undefined ? {} : { sha256: wanted }), begun };
    const download = await transport.download(runId, name, options);
    if (!download.goesOn) {
      parts = [];
      Object.assign(begun, { bytes: 0, tag: download.tag });
    }
    for await (const part of download.bytes) {
      parts.push(part);
      begun.bytes += part.length;
    }
    const content = new Blob(parts);
    const sum = download.sha256 === null ? null : await sha256Of(new Uint8Array(await content.arrayBuffer()));
    if (sum === null || sum === download.sha256) return content;
    begun.tag = null;
    throw new Unreachable(`${transport.url} gave other bytes of ${name} than were registered`);
  };
  return anew(receive, () => begun.bytes);
}

/** Ends the run and waits until all is sent. */
export async function finish(options: FinishOptions = {}): Promise<void> {
  const ending = current;
  current = null;
  await ending?.run.finish(options);
}

function unsafe(): never {
  throw new Error('the page must have come by HTTPS');
}

/** Records in order, also where one waits for the sum of its content. What is sent is let go. */
function recordsInMemory() {
  const records: JournalRecord[] = [];
  const contents = new Map<string, Blob>();
  let position: Position = START;
  let aside: readonly Aside[] = [];
  let gone = 0;
  let files = 0;
  let last = Promise.resolve();
  const keep = (content: Blob): string => {
    files += 1;
    contents.set(String(files), content);
    return String(files);
  };
  const store: RecordStore = {
    read: (offset) => ({ records: records.slice(offset - gone), end: gone + records.length, damaged: 0 }),
    position: () => position,
    move(to) {
      position = to;
      records.splice(0, to.offset - gone);
      gone = Math.max(gone, to.offset);
    },
    content: async (file) => contents.get(file) ?? null,
    aside: () => aside,
    keepAside(entries) {
      aside = entries;
    },
    drop: (file) => contents.delete(file),
    restart() {},
    refuse: () => 'it is lost',
  };
  const media = async (name: string, step: number, things: Packed[]): Promise<JournalRecord> => {
    const time = Date.now();
    const items = await Promise.all(
      things.map(async ({ kind, caption, metadata, content, type }, index): Promise<KeptMedia> => {
        if (content === null) return { index, kind, caption, metadata };
        return {
          index,
          kind,
          caption,
          metadata,
          sha256: (await sha256Of(content)) ?? unsafe(),
          type,
          file: keep(new Blob([content])),
        };
      }),
    );
    return ['media', name, step, time, items];
  };
  return {
    records,
    store,
    keep,
    media,
    append(make: () => JournalRecord | Promise<JournalRecord>): void {
      const made = Promise.resolve(make());
      last = last.then(async () => {
        try {
          records.push(await made);
        } catch (error) {
          warn(`something to look at is lost: ${String(error)}`);
        }
      });
    },
    settled: () => last,
  };
}
