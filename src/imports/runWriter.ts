import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import {
  BeginImportDocument,
  EndImportDocument,
  ImportLinesDocument,
  ImportMediaDocument,
} from '#src/generated/api.ts';
import type { ImportRunInput, LogLineInput, MediaInput } from '#src/generated/api.ts';
import { mediaContentName } from '#src/base/contracts/media.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { PointWriter } from './pointWriter.ts';
import { resend } from './resend.ts';
import { importInput, type RunFacts, type SourceItem, type SourceMedia, type SourceRun } from './source.ts';

const MEDIA_AT_ONCE = 200;
const LINES_AT_ONCE = 5_000;
/** Characters of lines in one request. */
const CHARACTERS_AT_ONCE = 2_000_000;
/** What of a run was sent, and how much of it the server did not have. */
export interface Sent {
  points: number;
  newPoints: number;
  lines: number;
  newLines: number;
  media: number;
  newMedia: number;
  files: number;
}

/** Sends one run to Warren in batches. What the server has already stays as it is, so that all may be sent again. */
export class RunWriter {
  private readonly others = { lines: 0, newLines: 0, media: 0, newMedia: 0, files: 0 };
  /** Null before `begin`. */
  number: number | null = null;
  /** Where the run is, when an earlier import has made it in another project or somebody has moved it. */
  elsewhere: string | null = null;
  private facts: RunFacts;
  private points: PointWriter;
  /** Sizes and sha256 of the files that the run has, by name. */
  private readonly files = new Map<string, { sizeBytes: number; sha256: string }>();
  /** Whether the run may have media already. */
  private hasMedia = false;
  private lines: LogLineInput[] = [];
  private characters = 0;
  private linesSent = 0;
  private media: SourceMedia[] = [];
  private readonly uploaded = new Set<string>();

  constructor(
    private readonly api: ApiClient,
    private readonly run: SourceRun,
    private readonly project: string,
  ) {
    this.facts = { ...run.facts };
    this.points = new PointWriter(api, run.id, new Set());
  }

  get sent(): Sent {
    const { points, newPoints } = this.points;
    return { points, newPoints, ...this.others };
  }

  /** Makes the run, or finds it with what it has; its state stays as it is. */
  async begin(): Promise<void> {
    const input = this.described({});
    const { importRun } = await resend(() => this.api.request(BeginImportDocument, { input }));
    this.number = importRun.number;
    const { deletedAt, project } = importRun;
    if (deletedAt !== null) this.elsewhere = 'in the trash';
    else if (project.name !== this.project) this.elsewhere = `in project "${project.name}"`;
    this.points = new PointWriter(this.api, this.run.id, new Set(importRun.metrics.map(({ name }) => name)));
    this.hasMedia = importRun.mediaSeries.length > 0;
    for (const { name, sizeBytes, sha256 } of importRun.artifacts) this.files.set(name, { sizeBytes, sha256 });
  }

  private described(end: Pick<RunFacts, 'state' | 'endedMs'>): ImportRunInput {
    const { state: _state, endedMs: _endedMs, ...known } = this.facts;
    const facts: RunFacts = { ...known, ...end };
    return importInput({ id: this.run.id, project: this.project, label: this.run.label, facts });
  }

  /** Takes a piece of the run; sends when there is enough. */
  async add(item: Exclude<SourceItem, { type: 'warning' }>): Promise<void> {
    if (item.type === 'points') await this.points.add(item.name, item);
    else if (item.type === 'facts') this.addFacts(item.facts);
    else if (item.type === 'lines') await this.addLines(item.lines);
    else if (item.type === 'file') await this.sendFile(item);
    else {
      this.media.push(item.media);
      if (this.media.length >= MEDIA_AT_ONCE) await this.sendMedia();
    }
  }

  private async sendFile({ name, path }: Extract<SourceItem, { type: 'file' }>): Promise<void> {
    const known = this.files.get(name);
    const isThere =
      known !== undefined && statSync(path).size === known.sizeBytes && (await sha256Of(path)) === known.sha256;
    const headers = { 'content-type': 'application/octet-stream' };
    if (!isThere) await resend(() => this.api.upload(place(this.run.id, name), path, headers));
    this.others.files++;
  }

  private addFacts(facts: RunFacts): void {
    const parameters = { ...this.facts.parameters, ...facts.parameters };
    const environment = { ...this.facts.environment, ...facts.environment };
    this.facts = { ...this.facts, ...facts, parameters, environment };
  }

  private async addLines(lines: readonly LogLineInput[]): Promise<void> {
    for (const line of lines) {
      this.lines.push(line);
      this.characters += line.text.length;
      if (this.lines.length >= LINES_AT_ONCE || this.characters >= CHARACTERS_AT_ONCE) await this.sendLines();
    }
  }

  private async sendLines(): Promise<void> {
    if (this.lines.length === 0) return;
    const { lines, linesSent: from } = this;
    this.lines = [];
    this.characters = 0;
    this.linesSent += lines.length;
    const { logLines } = await resend(() => this.api.request(ImportLinesDocument, { runId: this.run.id, from, lines }));
    this.others.lines += lines.length;
    this.others.newLines += logLines;
  }

  private async sendMedia(): Promise<void> {
    if (this.media.length === 0) return;
    const { media } = this;
    this.media = [];
    const items: MediaInput[] = [];
    for (const { content, mediaType, timeMs: time, ...item } of media) {
      items.push({ ...item, time, sha256: content === null ? null : await this.upload(content, mediaType) });
    }
    const { logMedia } = await resend(() => this.api.request(ImportMediaDocument, { runId: this.run.id, items }));
    this.others.media += items.length;
    this.others.newMedia += logMedia;
  }

  private async upload(content: Uint8Array | { path: string }, mediaType: string): Promise<string> {
    const isFile = 'path' in content;
    const sha256 = isFile ? await sha256Of(content.path) : createHash('sha256').update(content).digest('hex');
    if (this.uploaded.has(sha256)) return sha256;
    const headers = { 'content-type': mediaType };
    const path = place(this.run.id, mediaContentName(sha256));
    const isThere = this.hasMedia && (await resend(() => this.api.exists(path)));
    if (!isThere) {
      await resend(() =>
        isFile ? this.api.upload(path, content.path, headers) : this.api.uploadBytes(path, content, headers),
      );
    }
    this.uploaded.add(sha256);
    return sha256;
  }

  /** Sends what is left. */
  async flush(): Promise<void> {
    await this.points.flush();
    await this.sendLines();
    await this.sendMedia();
  }

  /** Sends what is left and says how the run ended; where its source does not know, it has SUCCEEDED. */
  async finish(): Promise<void> {
    await this.flush();
    const { state = 'SUCCEEDED', endedMs } = this.facts;
    const input = this.described({ state, ...(endedMs === undefined ? {} : { endedMs }) });
    await resend(() => this.api.request(EndImportDocument, { input }));
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function place(runId: string, name: string): string {
  return `/artifacts/${runId}/${name.split('/').map(encodeURIComponent).join('/')}`;
}
