import { setTimeout as pause } from 'node:timers/promises';
import { alertConditionText } from '#src/base/contracts/alertConditionText.ts';
import { printable } from '#src/base/lib/printable.ts';
import {
  AlertDocument,
  type AlertFragment,
  AlertRulesDocument,
  AlertsDocument,
  DeleteAlertRuleDocument,
  SaveAlertRuleDocument,
  TestAlertRuleDocument,
  type AlertRuleFragment,
} from '#src/generated/api.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { channelsOf, conditionOf, type CreateAlertOptions } from './ruleOptions.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import type { Colours } from '#src/base/terminal/colours.ts';
import { formatAge } from '#src/base/terminal/formatNumber.ts';
import { renderTable } from '#src/base/terminal/table.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';

type Screen = Pick<Terminal, 'colours' | 'width'>;
type Message = AlertFragment['messages'][number];

/** Rules, one a line. */
function ruleTable(rules: readonly AlertRuleFragment[], { colours, width }: Screen): string[] {
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
function messageText({ state, channel, attempts, problem }: Message, colours: Colours): string {
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
function alertLines({ number, level, title, createdAt, messages }: AlertFragment, screen: Screen, now: Date): string[] {
  const { colours } = screen;
  const word = level === 'error' ? colours.red(level) : level === 'warn' ? colours.yellow(level) : level;
  return [
    `${colours.bold(`#${number}`)} ${word} ${printable(title)} ${colours.dim(formatAge(createdAt, now))}`,
    ...messages.map((message) => `    ${messageText(message, colours)}`),
  ];
}

/** An attempt ends after eight seconds; until the first one begins it takes a second. */
const TEST_PATIENCE_MS = 12_000;

interface Shown {
  json?: boolean;
}

/** The body of `warren alert create`. */
export async function createAlertCommand(
  { api, terminal }: CommandContext,
  name: string,
  options: CreateAlertOptions,
): Promise<void> {
  const { project = null, filter = null, json = false } = options;
  const input = { name, project, filter, condition: conditionOf(options), channels: channelsOf(options) };
  const { saveAlertRule: saved } = await (await api()).request(SaveAlertRuleDocument, { input });
  if (json) return terminal.print(JSON.stringify({ ...saved.rule, secret: saved.secret }, null, 2));
  const { number, condition, channels } = saved.rule;
  const to = channels.length === 0 ? 'its alerts are shown in the dashboard only' : `${channels.length} to be told`;
  terminal.print(`alert rule ${number}: ${printable(alertConditionText(condition))}, ${to}`);
  if (saved.secret !== null) {
    terminal.print(saved.secret);
    terminal.say('warren: by this secret the receiver checks the signature of messages; it is shown this once');
  }
}

/** The body of `warren alert ls`. */
export async function listAlertsCommand(
  { api, terminal }: CommandContext,
  { project, json = false }: Shown & { project?: string },
): Promise<void> {
  const { alertRules } = await (await api()).request(AlertRulesDocument, { project: project ?? null });
  if (json) return terminal.print(JSON.stringify(alertRules, null, 2));
  if (alertRules.length === 0) return terminal.say('warren: there are none yet; `warren alert create` makes one');
  terminal.print(ruleTable(alertRules, terminal).join('\n'));
}

/** The body of `warren alert test`: exit code 1 where a message was not taken. */
export async function testAlertCommand(
  context: CommandContext,
  reference: string,
  { json = false }: Shown,
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  let { testAlertRule: alert }: { testAlertRule: AlertFragment } = await api.request(TestAlertRuleDocument, {
    id: reference,
  });
  const until = performance.now() + TEST_PATIENCE_MS;
  const underWay = () => alert.messages.some(({ state, problem }) => state === 'PENDING' && problem === null);
  while (underWay() && performance.now() < until) {
    await pause(TIMING.followMs);
    alert = (await api.request(AlertDocument, { number: alert.number })).alert;
  }
  if (json) terminal.print(JSON.stringify(alert, null, 2));
  else if (alert.messages.length === 0)
    terminal.print('the rule has no address: its alerts are shown in the dashboard only');
  else terminal.print(alert.messages.map((message) => messageText(message, terminal.colours)).join('\n'));
  if (alert.messages.some(({ state }) => state !== 'SENT')) context.exitCode = EXIT_FAILED;
}

/** The body of `warren alert delete`. */
export async function deleteAlertCommand({ api, terminal }: CommandContext, reference: string): Promise<void> {
  const { deleteAlertRule } = await (await api()).request(DeleteAlertRuleDocument, { id: reference });
  terminal.print(`alert rule ${deleteAlertRule.number} “${printable(deleteAlertRule.name)}”: deleted`);
}

/** The body of `warren alert history`. */
export async function alertHistoryCommand(
  { api, terminal }: CommandContext,
  { project, limit, json = false }: Shown & { project?: string; limit: number },
): Promise<void> {
  const { alerts } = await (await api()).request(AlertsDocument, { project: project ?? null, first: limit });
  if (json) return terminal.print(JSON.stringify(alerts, null, 2));
  if (alerts.length === 0) return terminal.say('warren: nothing was told yet');
  terminal.print(alerts.flatMap((alert) => alertLines(alert, terminal, new Date())).join('\n'));
}
