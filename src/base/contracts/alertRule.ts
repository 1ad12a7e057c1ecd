import { z } from 'zod';

/** States in which a run ends, that a rule can wait for. */
export const ENDED_STATES = ['FAILED', 'CRASHED', 'SUCCEEDED', 'CANCELLED', 'PRUNED'] as const;
export type EndedState = (typeof ENDED_STATES)[number];

/** How serious an alert is. */
export const ALERT_LEVELS = ['info', 'warn', 'error'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

/** What a rule waits for, as it is stored. */
export const alertConditionSchema = z.discriminatedUnion('trigger', [
  z.object({ trigger: z.literal('RUN_ENDED'), states: z.array(z.enum(ENDED_STATES)).min(1) }),
  z.object({ trigger: z.literal('SWEEP_ENDED') }),
  z.object({
    trigger: z.literal('METRIC_VALUE'),
    metric: z.string(),
    /** `NOT_FINITE`: the newest value is NaN or infinite. */
    is: z.enum(['ABOVE', 'BELOW', 'NOT_FINITE']),
    /** 0 with `NOT_FINITE`. */
    value: z.number(),
  }),
  z.object({
    trigger: z.literal('NO_IMPROVEMENT'),
    metric: z.string(),
    goal: z.enum(['MINIMIZE', 'MAXIMIZE']),
    /** Values of the metric, or steps, without a better one. */
    patience: z.number(),
    unit: z.enum(['VALUES', 'STEPS']),
  }),
  z.object({ trigger: z.literal('WORKER_GONE') }),
  z.object({ trigger: z.literal('PROGRAM_ALERT') }),
]);
export type AlertCondition = z.infer<typeof alertConditionSchema>;
export type AlertTrigger = AlertCondition['trigger'];

/** Where a rule sends to, as it is stored: webhooks are signed with the rule's own secret. */
export const alertChannelSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('webhook'), url: z.string() }),
  z.object({ type: z.literal('slack'), url: z.string() }),
  z.object({ type: z.literal('email'), to: z.string() }),
]);
export type AlertChannel = z.infer<typeof alertChannelSchema>;
