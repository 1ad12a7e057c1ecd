import { z } from 'zod';

/** Where a message goes: a program's own webhook, one that takes what Slack's take, or a mailbox. */
export const messageChannelSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('webhook'),
    url: z.string(),
    /** Signs the message: `whsec_` and base64, as https://www.standardwebhooks.com says. */
    secret: z.string(),
  }),
  z.object({
    /** A webhook of MLflow's, of the registry. */
    type: z.literal('mlflow'),
    url: z.string(),
    /** Signs the message as it is; null: unsigned. */
    secret: z.string().nullable(),
  }),
  z.object({ type: z.literal('slack'), url: z.string() }),
  z.object({ type: z.literal('email'), to: z.string() }),
]);
export type MessageChannel = z.infer<typeof messageChannelSchema>;

/** Stands in a message's text for the address of the server, which is known when it is sent. */
export const SERVER_MARK = '{server}';

/** What a message says: in words for people, and in facts for programs. */
export const messageContentSchema = z.object({
  /** What happened, such as `alert`: `type` of the JSON that webhooks get. */
  type: z.string(),
  /** One line: the subject of an e-mail. */
  title: z.string(),
  /** Lines of plain text, with `SERVER_MARK` before paths of the dashboard. */
  text: z.string(),
  /** `data` of the JSON that webhooks get. */
  data: z.record(z.string(), z.unknown()),
});
export type MessageContent = z.infer<typeof messageContentSchema>;
