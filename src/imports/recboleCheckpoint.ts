import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { type Pickled, PickledClass, PickledObject, readPickle } from './pickle.ts';
import { recboleTimeMs } from './recboleTime.ts';
import type { RunFacts } from './source.ts';

// What RecBole 1.2.1 saves: `_save_checkpoint` of recbole/trainer/trainer.py by torch.save, which writes a ZIP archive whose
// first file, not compressed, is a pickle of all but the numbers of tensors.

const ZIP_FILE = 0x04034b50;
const ZIP_HEADER = 30;
const ZIP_END = 0x06054b50;
const ZIP_END_BYTES = 22;
const FIRST_BYTES = 1 << 20;
const MOST_BYTES = 1 << 26;
/** Values of a configuration: pickles can name one list, or one long text, in many places. */
const MOST_VALUES = 10_000;
/** So many characters of a text count as a value. */
const CHARACTERS = 256;
const DEEPEST = 16;

export interface RecboleCheckpoint {
  facts: RunFacts;
  /** The best score by validation so far; null where the file does not say. */
  best: { name: string; step: number; value: number } | null;
  /** The file's name says when training began, read as UTC; 0 unless it does. */
  timeMs: number;
  /** What cannot be read of it. */
  warning: string | null;
}

/** What a checkpoint says of its run, or why it says nothing. Nothing of the file is executed. */
export function readCheckpoint(path: string): RecboleCheckpoint | { refused: string } {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const start = pickleStart(file);
    if (start === null) return { refused: `${path}: this is no checkpoint that torch.save has written` };
    let pickle = readPickle(bytesOf(file, start, FIRST_BYTES));
    for (let most = FIRST_BYTES; pickle.value === undefined && most < MOST_BYTES && start + most < size; ) {
      most *= 4;
      pickle = readPickle(bytesOf(file, start, most));
    }
    const state = pickle.value instanceof Map ? pickle.value : new Map<Pickled, Pickled>();
    const config = state.get('config') ?? pickle.seen.find(({ name }) => name === CONFIG);
    if (!(config instanceof PickledObject) || config.name !== CONFIG || !(config.state instanceof Map)) {
      const why = pickle.value === undefined ? 'it is torn before its configuration' : 'it has no configuration';
      return { refused: `${path}: this is no checkpoint of RecBole's that can be read: ${why}` };
    }
    const isWhole = size >= ZIP_END_BYTES && bytesOf(file, size - ZIP_END_BYTES, 4).readUInt32LE() === ZIP_END;
    const torn = pickle.value === undefined ? 'it is torn behind its configuration' : 'it is torn behind its scores';
    return {
      ...described(config.state, state, basename(path)),
      warning: isWhole && pickle.value !== undefined ? null : `${path}: ${torn}: all before that is imported`,
    };
  } finally {
    closeSync(file);
  }
}

const CONFIG = 'recbole.config.configurator.Config';

function bytesOf(file: number, start: number, most: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, Math.min(most, fstatSync(file).size - start)));
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
}

/** Where the first file of the archive begins; null unless that is a pickle which is not compressed. */
function pickleStart(file: number): number | null {
  const header = bytesOf(file, 0, ZIP_HEADER);
  if (header.length < ZIP_HEADER || header.readUInt32LE() !== ZIP_FILE || header.readUInt16LE(8) !== 0) return null;
  const nameBytes = header.readUInt16LE(26);
  const name = bytesOf(file, ZIP_HEADER, nameBytes).toString('utf8');
  return name.endsWith('/data.pkl') ? ZIP_HEADER + nameBytes + header.readUInt16LE(28) : null;
}

function described(
  config: Map<Pickled, Pickled>,
  state: Map<Pickled, Pickled>,
  file: string,
): Omit<RecboleCheckpoint, 'warning'> {
  const final = config.get('final_config_dict');
  const budget = { left: MOST_VALUES };
  const named = final instanceof Map ? members(final, budget, 0) : {};
  const { seed, dataset, valid_metric: metric, ...parameters } = named;
  const model = plain(config.get('model') ?? null, budget, 0);
  const timeMs = recboleTimeMs(file) ?? 0;
  const facts: RunFacts = {
    ...(typeof model === 'string' ? { name: model } : {}),
    parameters: {
      ...(typeof model === 'string' ? { model } : {}),
      ...parameters,
      ...(metric === undefined ? {} : { valid_metric: metric }),
    },
    ...(typeof dataset === 'string' ? { datasetName: dataset } : {}),
    ...(typeof seed === 'number' && Number.isInteger(seed) && seed >= 0 ? { seed } : {}),
    ...(timeMs > 0 ? { startedMs: timeMs } : {}),
    environment: { import: { format: 'recbole', file } },
  };
  const [epoch, score] = [
    plain(state.get('epoch') ?? null, budget, 0),
    numberOf(state.get('best_valid_score') ?? null),
  ];
  const isScored = typeof metric === 'string' && Number.isSafeInteger(epoch) && score !== null;
  const best = isScored ? { name: `best_valid/${metric.toLowerCase()}`, step: Number(epoch), value: score } : null;
  return { facts, best, timeMs };
}

function members(map: Map<Pickled, Pickled>, budget: { left: number }, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const [key, value] of map) {
    if (budget.left <= 0) break;
    entries.push([String(plain(key, budget, depth)), plain(value, budget, depth)]);
  }
  return Object.fromEntries(entries);
}

/** A value as a parameter: JSON has no words for classes, objects and numbers that are not finite, which become texts. */
function plain(value: Pickled, budget: { left: number }, depth: number): unknown {
  if (budget.left-- <= 0 || depth > DEEPEST) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return shortened(value, budget);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (value instanceof Map) return members(value, budget, depth + 1);
  if (Array.isArray(value)) return value.slice(0, budget.left).map((element) => plain(element, budget, depth + 1));
  if (value instanceof PickledClass) return value.name;
  const scalar = numberOf(value);
  if (scalar !== null) return plain(scalar, budget, depth);
  if (value.members.size > 0) return members(value.members, budget, depth + 1);
  if (value.elements.length > 0) return plain(value.elements, budget, depth + 1);
  const given = Array.isArray(value.given) && value.given.length === 1 ? (value.given[0] ?? null) : null;
  // torch.device('cpu'), ModelType(1)
  if (typeof given === 'string') return shortened(given, budget);
  const name = value.name.split('.').at(-1) ?? '';
  return typeof given === 'number' ? `${name}(${given})` : name;
}

function shortened(text: string, budget: { left: number }): string {
  const kept = text.slice(0, CHARACTERS * (budget.left + 1));
  budget.left -= Math.floor(kept.length / CHARACTERS);
  return kept;
}

/** A number of Python's, or a scalar of NumPy's. */
function numberOf(value: Pickled): number | null {
  if (typeof value === 'number') return value;
  if (!(value instanceof PickledObject) || !/^numpy\._?core\.multiarray\.scalar$/.test(value.name)) return null;
  const [type, content] = Array.isArray(value.given) ? value.given : [];
  if (!(type instanceof PickledObject) || !(content instanceof Uint8Array) || !Array.isArray(type.given)) return null;
  const bytes = Buffer.from(content);
  const [code] = type.given;
  if (code === 'f8' && bytes.length === 8) return bytes.readDoubleLE();
  if (code === 'f4' && bytes.length === 4) return bytes.readFloatLE();
  if (code === 'i8' && bytes.length === 8) return Number(bytes.readBigInt64LE());
  return code === 'i4' && bytes.length === 4 ? bytes.readInt32LE() : null;
}
