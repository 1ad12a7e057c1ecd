import { formatValue } from './fieldText.ts';
import { formatMemory } from './formatBytes.ts';

/** A fact of a run's environment in words: what bears bytes in its name, like `peakTensorBytes`, as MiB. */
export function environmentText(path: string, value: unknown): string {
  return path.endsWith('Bytes') && typeof value === 'number' ? formatMemory(value) : formatValue(value);
}
