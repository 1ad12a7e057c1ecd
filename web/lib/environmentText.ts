import { typedCommand } from '#src/base/lib/typedCommand.ts';
import { formatValue } from './fieldText.ts';
import { formatMemory } from './formatBytes.ts';
import { formatNumber } from './formatNumber.ts';

/**
 * A fact of a run's environment in words: arguments as they are typed; what bears bytes in its name, like `peakTensorBytes`, as MiB;
 * other numbers in five digits.
 */
export function environmentText(path: string, value: unknown): string {
  if (path === 'arguments' && Array.isArray(value)) return typedCommand(value);
  if (typeof value !== 'number') return formatValue(value);
  if (path.endsWith('Bytes')) return formatMemory(value);
  return Number.isInteger(value) ? formatValue(value) : formatNumber(value);
}
