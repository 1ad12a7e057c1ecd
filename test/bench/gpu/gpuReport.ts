import { z } from 'zod';

/** What is kept of each step, by its name. */
export const resultsSchema = z.record(
  z.string(),
  z.object({ seconds: z.number(), figures: z.unknown().optional(), failed: z.string().optional() }),
);
export type GpuResults = z.output<typeof resultsSchema>;

/** What steps of training told; others are shown as they are. */
const timesSchema = z.object({
  seconds: z.array(z.number()).min(1),
  device: z.string(),
  loss: z.number().nullable(),
  peakTensorBytes: z.number(),
});

/** The results as a Markdown page: a table of what was trained, and everything else below. */
export function gpuReport(results: GpuResults): string {
  const rows: string[] = [];
  const rest: string[] = [];
  for (const [name, { seconds, figures, failed }] of Object.entries(results)) {
    const times = timesSchema.safeParse(figures);
    if (failed !== undefined) rows.push(row([name, 'failed', '', '', '', short(failed)]));
    else if (times.success) rows.push(row([name, ...timesRow(times.data, name, results)]));
    else rest.push(`## ${name} (${seconds.toFixed(0)} s)\n\n${fenced(JSON.stringify(figures, null, 2))}`);
  }
  const head = row(['what', 'seconds', 'over PyTorch padded', 'MiB of tensors', 'loss', 'device']);
  const line = row(['---', '---:', '---:', '---:', '---:', '---']);
  return `# On a machine with a GPU\n\n${[head, line, ...rows].join('\n')}\n\n${rest.join('\n\n')}\n`;
}

function timesRow(times: z.output<typeof timesSchema>, name: string, results: GpuResults): string[] {
  const { device, loss, peakTensorBytes } = times;
  const theirs = timesSchema.safeParse(results[`${name.split(' on ')[0]} on torch, padded, steps`]?.figures);
  const isCompared = theirs.success && name.endsWith(', steps') && !name.includes(' on torch');
  const ratio = isCompared ? (median(times.seconds) / median(theirs.data.seconds)).toFixed(2) : '';
  const memory = (peakTensorBytes / 2 ** 20).toFixed(0);
  return [median(times.seconds).toFixed(3), ratio, memory, loss?.toFixed(4) ?? '', device];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function short(text: string): string {
  return text.trim().slice(-200);
}

function fenced(text: string): string {
  const shown = text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text;
  return `\`\`\`json\n${shown}\n\`\`\``;
}
