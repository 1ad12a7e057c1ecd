import { alertConditionText } from '#src/base/contracts/alertConditionText.ts';
import type { AlertFragment, AlertRuleFragment } from '#src/generated/api.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { Colours } from '#src/base/terminal/colours.ts';
import { formatAge } from '#src/base/terminal/formatNumber.ts';
import { renderTable } from '#src/base/terminal/table.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';

type Screen = Pick<Terminal, 'colours' | 'width'>;
type Message = AlertFragment['messages'][number];

/** Rules, one a line. */
export function ruleTable(rules: readonly AlertRuleFragment[], { colours, width }: Screen): string[] {
  const columns = [
    { header: '#', align: 'right' as const },
    { header: 'NAME', minimum: 10 },
    { header: 'PROJECT', minimum: 8 },
    { header: 'WHEN', minimum: 16 },
    { header: 'FILTER', minimum: 8 },
    { header: 'TO', minimum: 12 },
    { header: 'STATE', minimum: 8 },
  ];
  const rows = rules.map(({ number, name, project, condition, filter, channels, enabled, problem }) => [
    String(number),
    printable(name),
    project === null ? 'all' : printable(project.name),
    printable(alertConditionText(condition)),
    printable(filter),
    channels.length === 0 ? 'dashboard' : printable(channels.map(({ address }) => address).join(', ')),
    problem !== null ? colours.red(printable(problem)) : enabled ? 'on' : colours.dim('off'),
  ]);
  return renderTable(columns, rows, { width: width(), styleHeader: colours.bold });
}

/** `sent to me@example.org`. */
export function messageText({ state, channel, attempts, problem }: Message, colours: Colours): string {
  const to = printable(channel.address);
  const why = problem === null ? '' : `: ${printable(problem)}`;
  const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  switch (state) {
    case 'SENT':
      return `${colours.green('sent')} to ${to}${attempts > 1 ? ` at attempt ${attempts}` : ''}`;
    case 'PENDING':
      return `${colours.yellow('not yet sent')} to ${to}, ${tries}${why}`;
    case 'FAILED':
      return `${colours.red('given up')}: ${to}, ${tries}${why}`;
    default:
      return assertNever(state);
  }
}

/** An alert with what became of its messages. */
export function alertLines(
  { number, level, title, createdAt, messages }: AlertFragment,
  screen: Screen,
  now: Date,
): string[] {
  const { colours } = screen;
  const word = level === 'error' ? colours.red(level) : level === 'warn' ? colours.yellow(level) : level;
  return [
    `${colours.bold(`#${number}`)} ${word} ${printable(title)} ${colours.dim(formatAge(createdAt, now))}`,
    ...messages.map((message) => `    ${messageText(message, colours)}`),
  ];
}
