import { printable } from '#src/base/lib/printable.ts';
import { type RunState, isFinal } from '#src/base/contracts/runState.ts';
import { type Colours, coloursWanted, createColours } from './colours.ts';
import { runStateText } from './runStateText.ts';
import { cutText, padText, textWidth } from './textWidth.ts';

/** One run as the view shows it. */
export interface ProgressRow {
  id: string;
  /** `#12 overrec seed 1`. */
  label: string;
  state: RunState;
  /** 0 to 1; null where the run does not say. */
  fraction: number | null;
  /** What is being done, or how it ended. */
  message: string;
}

export interface ProgressView {
  update(rows: readonly ProgressRow[]): void;
  /** Leaves the last picture standing; nothing is drawn afterwards. */
  finish(): void;
}

export interface ProgressOutput {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

const BAR_CELLS = 24;
/** A line of a run that only moves on is printed at each of so many parts of the way. */
const PARTS = 10;

/** Live bars redrawn in place on a terminal; elsewhere one line whenever a run changes state or comes a tenth further. */
export function createProgressView(output: ProgressOutput, variables: NodeJS.ProcessEnv): ProgressView {
  const colours = createColours(coloursWanted({ isTTY: output.isTTY === true }, variables));
  return output.isTTY === true ? drawInPlace(output, colours) : printChanges(output, colours);
}

/** `████████░░░░` */
export function progressBar(fraction: number, cells = BAR_CELLS): string {
  const share = Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0;
  const full = Math.floor(share * cells);
  return '█'.repeat(full) + '░'.repeat(cells - full);
}

function drawInPlace(output: ProgressOutput, colours: Colours): ProgressView {
  let drawn = 0;
  let done = false;
  return {
    update(rows) {
      if (done) return;
      const lines = pictureLines(rows, colours, { columns: output.columns ?? 80, rows: output.rows ?? 24 });
      // Up to the first line of the last picture, clear from there, draw again: in one write, so that nothing flickers.
      const back = drawn > 0 ? `\u001b[${drawn}A\r\u001b[J` : '';
      output.write(`${back}${lines.join('\n')}\n`);
      drawn = lines.length;
    },
    finish() {
      done = true;
    },
  };
}

/** The picture of all rows; where the screen is too low for all, those that run come first and a last line counts the rest. */
export function pictureLines(
  rows: readonly ProgressRow[],
  colours: Colours,
  screen: { columns: number; rows: number },
): string[] {
  const room = Math.max(1, screen.rows - 2);
  const shown = rows.length <= room ? rows : [...rows].sort((a, b) => rank(a.state) - rank(b.state)).slice(0, room - 1);
  const labelWidth = Math.min(40, Math.max(0, ...shown.map((row) => textWidth(row.label))));
  const lines = shown.map((row) => {
    const bar = progressBar(isFinal(row.state) && row.state === 'SUCCEEDED' ? 1 : (row.fraction ?? 0));
    const coloured =
      row.state === 'FAILED' ? colours.red(bar) : row.state === 'SUCCEEDED' ? colours.green(bar) : colours.cyan(bar);
    const head = `${padText(cutText(row.label, labelWidth), labelWidth)}  `;
    const tail = ` ${padText(row.state.toLowerCase(), 9)} ${printable(row.message)}`;
    const room = Math.max(0, screen.columns - 1 - textWidth(head) - BAR_CELLS);
    const words = cutText(tail, room);
    return head + coloured + words.replace(row.state.toLowerCase(), runStateText(row.state, colours));
  });
  if (shown.length < rows.length) {
    const ended = rows.filter((row) => isFinal(row.state)).length;
    lines.push(colours.dim(cutText(`… ${rows.length} runs in all, ${ended} ended`, screen.columns - 1)));
  }
  return lines;
}

function rank(state: RunState): number {
  return { RUNNING: 0, FAILED: 1, CRASHED: 1, QUEUED: 2, WAITING: 3, CANCELLED: 4, PRUNED: 4, SUCCEEDED: 5 }[state];
}

function printChanges(output: ProgressOutput, colours: Colours): ProgressView {
  const last = new Map<string, { state: RunState; part: number }>();
  let done = false;
  return {
    update(rows) {
      if (done) return;
      for (const row of rows) {
        const before = last.get(row.id);
        const { fraction } = row;
        const part = Math.floor((fraction ?? 0) * PARTS + 1e-9);
        if (before?.state === row.state && !(row.state === 'RUNNING' && part !== before.part)) continue;
        last.set(row.id, { state: row.state, part });
        const percent =
          row.state === 'RUNNING' && fraction !== null
            ? ` ${String(Math.floor(fraction * 100 + 1e-9)).padStart(3)} %`
            : '';
        const message = row.message === '' ? '' : `  ${printable(row.message)}`;
        output.write(`${row.label}  ${runStateText(row.state, colours)}${percent}${message}\n`);
      }
    },
    finish() {
      done = true;
    },
  };
}
