import { type Command, Option } from 'commander';
import type { CreateAlertOptions } from './ruleOptions.ts';
import { wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

/** The bodies of the commands, loaded when one of them runs. */
const bodies = () => import('./alertCommands.ts');

const EXAMPLES = `
Examples:
  warren alert create "something failed" --project papers --failed --slack https://hooks.slack.com/services/…
  warren alert create "good enough" --project papers --metric valid/ndcg@10 --above 0.05 --email me@example.org
  warren alert create "stands still" --project papers --metric valid/loss --patience 5 --webhook https://example.org/hook
  warren alert create "worker gone" --worker-gone --email admin@example.org
  warren alert test 1`;

export function addAlertCommand(program: Command, context: CommandContext): void {
  const alert = program
    .command('alert')
    .summary('notify people when a run fails, a sweep ends or a metric passes a value')
    .description('Make rules that notify people when a run fails, a sweep ends, a metric passes a value and the like.')
    .addHelpText('after', EXAMPLES);
  alert
    .command('create')
    .description('Make a rule. Without --webhook, --slack or --email its alerts are shown in the dashboard only.')
    .argument('<name>', 'name of the rule')
    .option('--project <name>', 'only runs of this project (default: all projects, which needs the role ADMIN)')
    .option('--failed', 'a run fails or crashes')
    .option('--ended <states>', 'a run ends in one of these states, separated by commas: SUCCEEDED, FAILED, …')
    .option('--sweep-ended', 'a sweep finishes or is cancelled')
    .option('--metric <name>', 'the metric of --above, --below, --not-finite or --patience')
    .option('--above <value>', 'a value of the metric is greater')
    .option('--below <value>', 'a value of the metric is less')
    .option('--not-finite', 'the newest value of the metric is NaN or infinite')
    .option('--patience <n>', 'the metric has had no better value for so many values (epochs)')
    .option('--steps', 'count --patience in steps instead of values')
    .addOption(new Option('--goal <which>', 'which values are better').choices(['minimize', 'maximize']))
    .option('--worker-gone', 'nothing is heard of a worker for 30 seconds')
    .option('--program', 'the program of a run calls alert()')
    .option('--filter <filter>', 'only runs that meet this filter, as `warren ls` takes it')
    .option('--webhook <url...>', 'send signed JSON to this address')
    .option('--slack <url...>', "send messages as Slack's incoming webhooks take them to this address")
    .option('--email <address...>', 'send e-mail to this mailbox')
    .option('--json', 'print JSON')
    .action(async (name: string, options: CreateAlertOptions) =>
      (await bodies()).createAlertCommand(context, name, options),
    );
  alert
    .command('ls')
    .description('List rules.')
    .option('--project <name>', 'those that look at runs of this project')
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; json?: boolean }) =>
      (await bodies()).listAlertsCommand(context, options),
    );
  alert
    .command('test')
    .description('Send a test message to every address of a rule, and say whether it was delivered.')
    .argument('<rule>', 'number or id')
    .option('--json', 'print JSON')
    .action(async (reference: string, options: { json?: boolean }) =>
      (await bodies()).testAlertCommand(context, reference, options),
    );
  alert
    .command('delete')
    .description('Delete a rule; its alerts stay in the history.')
    .argument('<rule>', 'number or id')
    .action(async (reference: string) => (await bodies()).deleteAlertCommand(context, reference));
  alert
    .command('history')
    .description('List alerts, newest first, and whether their messages were delivered.')
    .option('--project <name>', 'only alerts of this project')
    .option('--limit <n>', 'alerts at most', wholeNumber('--limit', 1, 200), 20)
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; limit: number; json?: boolean }) =>
      (await bodies()).alertHistoryCommand(context, options),
    );
}
