import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { SourceItem } from './source.ts';

/** Points and lines that are held in memory, of all runs together; each is some tens of bytes. */
const HELD = 200_000;
/** A line weighs as much as a point for so many of its characters. */
const CHARACTERS = 50;

interface Series {
  steps: number[];
  values: number[];
  times: number[];
}

interface Held {
  series: Map<string, Series>;
  lines: Map<string, { text: string; time: number }[]>;
}

interface Block {
  offset: number;
  bytes: number;
}

/**
 * Points and lines of a source whose runs come mixed, until each run is sent: the last ones in memory, those before in a
 * file that has no name any more, so that it is gone when the program ends.
 */
export class WaitingItems {
  private readonly held = new Map<string, Held>();
  private readonly blocks = new Map<string, Block[]>();
  private weight = 0;
  private file: number | null = null;
  private end = 0;

  point(run: string, name: string, [step, value, timeMs]: readonly [number, number, number]): void {
    const { series } = this.of(run);
    let found = series.get(name);
    if (found === undefined) {
      found = { steps: [], values: [], times: [] };
      series.set(name, found);
    }
    found.steps.push(step);
    found.values.push(value);
    found.times.push(timeMs);
    this.weigh(1);
  }

  line(run: string, name: string, line: { text: string; time: number }): void {
    const { lines } = this.of(run);
    const found = lines.get(name);
    if (found === undefined) lines.set(name, [line]);
    else found.push(line);
    this.weigh(1 + line.text.length / CHARACTERS);
  }

  private of(run: string): Held {
    let held = this.held.get(run);
    if (held === undefined) {
      held = { series: new Map(), lines: new Map() };
      this.held.set(run, held);
    }
    return held;
  }

  private weigh(weight: number): void {
    this.weight += weight;
    if (this.weight >= HELD) this.putAway();
  }

  private putAway(): void {
    for (const [run, held] of this.held) {
      const bytes = serialize(held);
      this.file ??= namelessFile();
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(this.file, bytes, written, bytes.length - written, this.end + written);
      }
      const blocks = this.blocks.get(run) ?? [];
      this.blocks.set(run, blocks);
      blocks.push({ offset: this.end, bytes: bytes.length });
      this.end += bytes.length;
    }
    this.held.clear();
    this.weight = 0;
  }

  /**
   * What is there of a run, in the order in which it came; once.
   * @param label What a line is called that came under a name.
   */
  *take(run: string, label: (name: string, text: string) => string): Generator<SourceItem> {
    for (const block of this.blocks.get(run) ?? []) yield* itemsOf(this.read(block), label);
    this.blocks.delete(run);
    const held = this.held.get(run);
    if (held !== undefined) yield* itemsOf(held, label);
    this.held.delete(run);
    if (this.blocks.size > 0 || this.file === null) return;
    closeSync(this.file);
    this.file = null;
  }

  private read({ offset, bytes }: Block): Held {
    const buffer = Buffer.allocUnsafe(bytes);
    for (let read = 0; read < bytes; ) {
      read += readSync(this.file!, buffer, read, bytes - read, offset + read);
    }
    return deserialize(buffer);
  }
}

function* itemsOf({ series, lines }: Held, label: (name: string, text: string) => string): Generator<SourceItem> {
  for (const [name, points] of series) yield { type: 'points', name, ...points };
  for (const [name, texts] of lines) {
    yield { type: 'lines', lines: texts.map(({ text, time }) => ({ text: label(name, text), time, level: 'info' })) };
  }
}

function namelessFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'warren-import-'));
  try {
    return openSync(join(folder, 'points'), 'w+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
