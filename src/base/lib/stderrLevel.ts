/** How serious a line of a program's stderr is. */
export type StderrLevel = 'debug' | 'info' | 'warn' | 'error';

const LEVELS: ReadonlyMap<string, StderrLevel> = new Map([
  ...(['DEBUG', 'TRACE'] as const).map((word) => [word, 'debug'] as const),
  ...(['INFO', 'NOTICE', 'I'] as const).map((word) => [word, 'info'] as const),
  ...(['WARNING', 'WARN', 'W'] as const).map((word) => [word, 'warn'] as const),
  ...(['ERROR', 'CRITICAL', 'FATAL', 'E', 'F'] as const).map((word) => [word, 'error'] as const),
]);

/** A level is looked for in this many characters. */
const HEAD_LENGTH = 120;
/** After a time, brackets and the name of a logger: `INFO:root:`, `[2026-01-02 03:04:05][WARN]`, `… - train - ERROR - `. */
const NAMED =
  /^[\s\d[\](){}|<>.,:/TZ+-]*(?:[\w.]+ - )?(DEBUG|TRACE|INFO|NOTICE|WARNING|WARN|ERROR|CRITICAL|FATAL)(?=[\s\]:|,)>-]|$)/;
/** glog, as in `W0102 03:04:05`, and TensorFlow, as in `2026-01-02 03:04:05.6: I tensorflow/…`. */
const LETTER = /^(?:(?=[IWEF]\d{4} )|[\d\-:. ]+: (?=[IWEF] ))([IWEF])/;
/** Python's `warnings`: `train.py:3: UserWarning: …`; compilers and others: `warning: …`. */
const WARNING = /^(?:\S+:\d+: )?(?:\w*Warning|warning):/;
/** The beginning and the end of what Python and Node print when a program fails. */
const FAILURE =
  /^(?:Traceback \(|During handling of the above exception|The above exception was|Uncaught |[\w.]*(?:Error|Exception|KeyboardInterrupt|SystemExit)(?::|$|\s\[))|^error:/;

/**
 * Tells of each line of a stderr in turn how serious it says that it is. What says nothing, such as a progress bar, is no warning;
 * indented lines after an error belong to it.
 */
export class StderrLevels {
  private isInError = false;

  levelOf(line: string): StderrLevel {
    const head = line.slice(0, HEAD_LENGTH);
    if (this.isInError && /^\s*$|^\s/.test(head)) return 'error';
    const said = NAMED.exec(head)?.[1] ?? LETTER.exec(head)?.[1];
    const level = said === undefined ? unnamedLevel(head) : (LEVELS.get(said) ?? 'info');
    this.isInError = level === 'error';
    return level;
  }
}

function unnamedLevel(head: string): StderrLevel {
  if (FAILURE.test(head)) return 'error';
  return WARNING.test(head) ? 'warn' : 'info';
}
