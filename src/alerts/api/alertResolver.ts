import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
  Field,
  Float,
  InputType,
} from 'type-graphql';
import { alertHistory, requireAlert, testAlertRule } from '#src/alerts/alertHistory.ts';
import { deleteAlertRule, listAlertRules, type RuleRights, saveAlertRule } from '#src/alerts/alertRules.ts';
import { raiseAlert } from '#src/alerts/raiseAlert.ts';
import type { AlertRecord } from '#src/alerts/store/alertRecord.ts';
import type { RuleRecord } from '#src/alerts/store/ruleRecord.ts';
import type { ProjectRecord } from '#src/projects/store/projectRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { type GraphqlContext, mayDo } from '#src/base/graphql/context.ts';
import {
  AlertTrigger,
  ImprovementGoal,
  PatienceUnit,
  Alert,
  AlertChannel,
  AlertLevel,
  AlertMessage,
  AlertRule,
  SavedAlertRule,
} from './alert.ts';
import { RunState } from '#src/base/graphql/enums.ts';
import { Project } from '#src/projects/api/project.ts';
import { Run } from '#src/runs/api/run.ts';

@InputType({ description: 'What a rule waits for.' })
class AlertConditionInput {
  @Field(() => AlertTrigger, { description: 'What sort of thing.' })
  trigger!: keyof typeof AlertTrigger;

  @Field(() => [RunState], {
    nullable: true,
    description: 'Of RUN_ENDED: states in which a run ends; null: FAILED and CRASHED.',
  })
  states?: (keyof typeof RunState)[] | null;

  @Field(() => String, { nullable: true, description: 'Of METRIC_VALUE and NO_IMPROVEMENT: name of the metric.' })
  metric?: string | null;

  @Field(() => Float, { nullable: true, description: 'Of METRIC_VALUE: a value above this.' })
  above?: number | null;

  @Field(() => Float, { nullable: true, description: 'Of METRIC_VALUE: a value below this.' })
  below?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Of METRIC_VALUE: the newest value is NaN or infinite.' })
  notFinite?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Of NO_IMPROVEMENT: after how many values or steps without a better one.',
  })
  patience?: number | null;

  @Field(() => PatienceUnit, {
    nullable: true,
    description: 'Of NO_IMPROVEMENT: what patience is counted in; null: values.',
  })
  unit?: keyof typeof PatienceUnit | null;

  @Field(() => ImprovementGoal, {
    nullable: true,
    description: 'Of NO_IMPROVEMENT: which values are better; null: as the metric is declared.',
  })
  goal?: keyof typeof ImprovementGoal | null;
}

@InputType({ description: 'Where messages go: one of the three.' })
class AlertChannelInput {
  @Field(() => String, { nullable: true, description: 'Address of a program that takes signed JSON.' })
  webhook?: string | null;

  @Field(() => String, { nullable: true, description: "Address that takes messages as Slack's incoming webhooks do." })
  slack?: string | null;

  @Field(() => String, { nullable: true, description: 'A mailbox.' })
  email?: string | null;
}

@InputType({ description: 'A rule to make, or to change: what is null stays.' })
class SaveAlertRuleInput {
  @Field(() => ID, { nullable: true, description: 'Id or number of a rule to change; null: a new one is made.' })
  id?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the project of a new rule, which is made when there is none; null: all projects, for admins alone.',
  })
  project?: string | null;

  @Field(() => String, { nullable: true, description: 'Its name.' })
  name?: string | null;

  @Field(() => AlertConditionInput, { nullable: true, description: 'What it waits for.' })
  condition?: AlertConditionInput | null;

  @Field(() => String, { nullable: true, description: 'Which runs, in the language of filters; empty: all.' })
  filter?: string | null;

  @Field(() => [AlertChannelInput], {
    nullable: true,
    description: 'Where it sends to, 10 at most; none: its alerts stand in the dashboard alone.',
  })
  channels?: AlertChannelInput[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it tells anything; a new rule does unless told not to.',
  })
  enabled?: boolean | null;
}

function rightsOf({
  role,
  sendsMail,
  outgoingGuard: guard,
}: Pick<GraphqlContext, 'role' | 'sendsMail' | 'outgoingGuard'>): RuleRights {
  return { isAdmin: mayDo(role, 'ADMIN'), sendsMail, guard };
}

/** The rest of an address may be all that one needs to write to it. */
function shownChannel(channel: { type: AlertChannel['type']; url?: string; to?: string }): AlertChannel {
  const { type, url, to = '' } = channel;
  return { type, address: url === undefined ? to : `${new URL(url).origin}/…` };
}

@Resolver(() => AlertRule)
export class AlertRuleResolver {
  @Query(() => [AlertRule], { description: 'Alert rules by number, with those for all projects; 500 at most.' })
  async alertRules(
    @Arg('project', () => String, { nullable: true, description: 'Name of the project; null: every rule.' }) project:
      | string
      | null
      | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RuleRecord[]> {
    return await listAlertRules(services, project);
  }

  @Mutation(() => SavedAlertRule, { description: 'Makes an alert rule, or changes one that is there.' })
  async saveAlertRule(
    @Arg('input', () => SaveAlertRuleInput, { description: 'The rule.' }) input: SaveAlertRuleInput,
    @Ctx() context: GraphqlContext,
  ): Promise<{ rule: RuleRecord; secret: string | null }> {
    return await saveAlertRule(context.services, input, rightsOf(context));
  }

  @Mutation(() => AlertRule, { description: 'Deletes an alert rule and answers what it was; its alerts stay.' })
  async deleteAlertRule(
    @Arg('id', () => ID, { description: 'Id or number of the rule.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<RuleRecord> {
    return await deleteAlertRule(context.services, id, rightsOf(context));
  }

  @Mutation(() => Alert, { description: 'Sends a test to every channel of a rule.' })
  async testAlertRule(
    @Arg('id', () => ID, { description: 'Id or number of the rule.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<AlertRecord> {
    return await testAlertRule(context.services, id, rightsOf(context));
  }

  @FieldResolver(() => Project, { nullable: true, description: 'Whose runs it looks at; null: those of all.' })
  async project(@Root() rule: RuleRecord, @Ctx() { loaders }: GraphqlContext): Promise<ProjectRecord | null> {
    return rule.projectId === null ? null : await loaders.project.load(rule.projectId);
  }

  @FieldResolver(() => [AlertChannel], { description: 'Where it sends to.' })
  channels(@Root() rule: RuleRecord): AlertChannel[] {
    return rule.channels.map(shownChannel);
  }
}

@Resolver(() => Alert)
export class AlertResolver {
  @Query(() => [Alert], { description: 'Alerts, the newest first, with those of no project.' })
  async alerts(
    @Arg('project', () => String, { nullable: true, description: 'Name of the project; null: all.' }) project:
      | string
      | null
      | undefined,
    @Arg('first', () => Int, { defaultValue: 50, description: 'Alerts at most, 0 to 200.' }) first: number,
    @Arg('before', () => Int, { nullable: true, description: 'Only those with a smaller number.' }) before:
      | number
      | null
      | undefined,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<AlertRecord[]> {
    return await loaders.budget.readWithin(async () => {
      const alerts = await alertHistory(services, { project, first, before });
      return { result: alerts, bytes: alerts.reduce((sum, { title, text }) => sum + title.length + text.length, 0) };
    });
  }

  @Query(() => Alert, { description: 'The alert of a number.' })
  async alert(
    @Arg('number', () => Int, { description: 'Its number.' }) number: number,
    @Ctx() { services }: GraphqlContext,
  ): Promise<AlertRecord> {
    return await requireAlert(services, number);
  }

  @Mutation(() => Boolean, {
    description:
      'An alert that the program of a run raises: the dashboard shows it, and rules with the trigger PROGRAM_ALERT send it on. Answers whether it was new.',
  })
  async raiseAlert(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('alertId', () => ID, {
      description: 'Names the alert within its run: the same call again changes nothing.',
    })
    alertId: string,
    @Arg('title', () => String, { description: 'One line, 200 characters at most.' }) title: string,
    @Arg('text', () => String, { defaultValue: '', description: 'More about it, 10,000 characters at most.' })
    text: string,
    @Arg('level', () => AlertLevel, { defaultValue: 'warn', description: 'How serious it is.' })
    level: keyof typeof AlertLevel,
    @Ctx() { services, allServices, attempt }: GraphqlContext,
  ): Promise<boolean> {
    return await raiseAlert(services, { runId, id: alertId, title, text, level, attempt }, allServices);
  }

  @FieldResolver(() => AlertRule, {
    nullable: true,
    description: 'The rule that raised it; null: a program, or it is gone.',
  })
  async rule(@Root() alert: AlertRecord, @Ctx() { loaders }: GraphqlContext): Promise<RuleRecord | null> {
    return alert.ruleId === null ? null : await loaders.alertRule.load(alert.ruleId);
  }

  @FieldResolver(() => Project, { nullable: true, description: 'The project that it concerns; null: none.' })
  async project(@Root() alert: AlertRecord, @Ctx() { loaders }: GraphqlContext): Promise<ProjectRecord | null> {
    return alert.projectId === null ? null : await loaders.project.load(alert.projectId);
  }

  @FieldResolver(() => Run, { nullable: true, description: 'The run that it concerns; null: none.' })
  async run(@Root() alert: AlertRecord, @Ctx() { loaders }: GraphqlContext): Promise<RunRecord | null> {
    return alert.runId === null ? null : await loaders.run.load(alert.runId);
  }

  @FieldResolver(() => [AlertMessage], {
    description: 'The messages that tell of it, one for each channel of the rule.',
  })
  async messages(@Root() alert: AlertRecord, @Ctx() { loaders }: GraphqlContext): Promise<AlertMessage[]> {
    const messages = await loaders.alertMessages.load(alert.id);
    return messages.flatMap(({ id, channel, state, attempts, problem, dueAt, endedAt }) => {
      if (channel.type === 'mlflow') return []; // never of an alert
      const facts = { id, state, attempts, problem, endedAt };
      return [{ ...facts, channel: shownChannel(channel), nextAttemptAt: state === 'PENDING' ? dueAt : null }];
    });
  }
}
