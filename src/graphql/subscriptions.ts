import { Arg, Ctx, ID, Int, Resolver, Root, Subscription } from 'type-graphql';
import type { DecisionRecord } from '#src/decisions/store/decisionRecord.ts';
import type { AlertRecord } from '#src/alerts/store/alertRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { ViewRecord } from '#src/views/savedViews.ts';
import type { SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import { alertChanges } from '#src/alerts/api/alertChanges.ts';
import { type DecisionChangesArguments, decisionChanges } from '#src/decisions/api/decisionChanges.ts';
import { type LogAppendsArguments, logAppends } from '#src/logs/api/logAppends.ts';
import { type MetricDeltasArguments, metricDeltas } from '#src/metrics/api/metricDeltas.ts';
import { type RunChangesArguments, runChanges } from '#src/runs/api/runChanges.ts';
import { type SweepChangesArguments, sweepChanges } from '#src/sweeps/api/sweepChanges.ts';
import { type ViewChangesArguments, viewChanges } from '#src/views/api/viewChanges.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { createAnswerBudget, viewBytes } from '#src/base/graphql/answerBudget.ts';
import { Alert } from '#src/alerts/api/alert.ts';
import { Decision } from '#src/decisions/api/decision.ts';
import { LogPage } from '#src/logs/api/logs.ts';
import { MetricsDelta } from '#src/metrics/api/metrics.ts';
import { Run } from '#src/runs/api/run.ts';
import { Sweep } from '#src/sweeps/api/sweep.ts';
import { View } from '#src/views/api/view.ts';

interface Subscriber<Arguments> {
  args: Arguments;
  context: GraphqlContext;
}

/** What each method gets as its root is an item of the stream that `subscribe` returns. */
@Resolver()
export class Subscriptions {
  @Subscription(() => Run, {
    description:
      'State, progress, names of the runs asked for, or of a whole project, or of all. It begins with the runs asked for as they are, or with those that run or ended last.',
    subscribe: ({ args, context }: Subscriber<RunChangesArguments>) => runChanges(context, args),
  })
  runChanged(
    @Root() run: RunRecord,
    @Arg('runIds', () => [ID], {
      nullable: true,
      description: 'Ids or numbers of the runs; null: all, or those of the project.',
    })
    _runIds: string[] | null | undefined,
    @Arg('project', () => String, { nullable: true, description: 'Name of the project; null: all.' }) _project:
      | string
      | null
      | undefined,
    @Ctx() context: GraphqlContext,
  ): RunRecord {
    context.loaders = context.snapshots.current().loaders;
    return run;
  }

  @Subscription(() => Sweep, {
    description: 'A sweep, as it is and whenever its state or its trials change.',
    subscribe: ({ args, context }: Subscriber<SweepChangesArguments>) => sweepChanges(context, args),
  })
  sweepChanged(
    @Root() sweep: SweepRecord,
    @Arg('id', () => ID, { description: 'Id or number of the sweep.' }) _id: string,
    @Ctx() context: GraphqlContext,
  ): SweepRecord {
    context.loaders = context.snapshots.current().loaders;
    return sweep;
  }

  @Subscription(() => Decision, {
    description: 'A decision, as it is and whenever its state, looks or pairs change.',
    subscribe: ({ args, context }: Subscriber<DecisionChangesArguments>) => decisionChanges(context, args),
  })
  decisionChanged(
    @Root() decision: DecisionRecord,
    @Arg('id', () => ID, { description: 'Id or number of the decision.' }) _id: string,
    @Ctx() context: GraphqlContext,
  ): DecisionRecord {
    context.loaders = context.snapshots.current().loaders;
    return decision;
  }

  @Subscription(() => [View], {
    description: 'The saved views of a project by name, as they are and whenever one of them changes.',
    subscribe: ({ args, context }: Subscriber<ViewChangesArguments>) => viewChanges(context, args),
  })
  viewsChanged(
    @Root() views: ViewRecord[],
    @Arg('project', () => String, { description: 'Name of the project.' }) _project: string,
    @Ctx() context: GraphqlContext,
  ): ViewRecord[] {
    createAnswerBudget().charge(viewBytes(views));
    context.loaders = context.snapshots.current().loaders;
    return views;
  }

  @Subscription(() => [Alert], {
    description: 'The newest 20 alerts, as they are and whenever one is raised or a rule changes.',
    subscribe: ({ context }: { context: GraphqlContext }) => alertChanges(context),
  })
  alertsChanged(@Root() alerts: AlertRecord[], @Ctx() context: GraphqlContext): AlertRecord[] {
    context.loaders = context.snapshots.current().loaders;
    return alerts;
  }

  @Subscription(() => MetricsDelta, {
    description:
      'New points of the runs, in columns; `after` gives for each run the cursor of what is there already. Without it only what comes from now on is sent.',
    subscribe: ({ args, context }: Subscriber<MetricDeltasArguments>) => metricDeltas(context, args),
  })
  metricsLogged(
    @Root() delta: MetricsDelta,
    @Arg('runIds', () => [ID], { description: 'Ids or numbers of the runs.' }) _runIds: string[],
    @Arg('names', () => [String], { nullable: true, description: 'Names of the metrics; null: all.' }) _names:
      | string[]
      | null
      | undefined,
    @Arg('after', () => [Int], {
      nullable: true,
      description:
        'For each run, in their order, the cursor of what is there already; null: only what comes from now on.',
    })
    _after: number[] | null | undefined,
  ): MetricsDelta {
    return delta;
  }

  @Subscription(() => LogPage, {
    description: 'Lines after `after`, or from the first: those that are there, then each that comes.',
    subscribe: ({ args, context }: Subscriber<LogAppendsArguments>) => logAppends(context, args),
  })
  logAppended(
    @Root() page: LogPage,
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) _runId: string,
    @Arg('after', () => String, {
      nullable: true,
      description: 'The cursor of the last line that is there already; null: from the first line.',
    })
    _after: string | null | undefined,
  ): LogPage {
    return page;
  }
}
