import { toErrorRecord } from '#src/base/contracts/errors.ts';
import { SERVER_MARK } from '#src/base/contracts/outgoingMessage.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import type { AddressGuard } from '#src/base/platform/outgoing/addressGuard.ts';
import { guardedPost } from '#src/base/platform/outgoing/guardedPost.ts';
import { type MailServer, sendEmail } from '#src/base/platform/outgoing/sendEmail.ts';
import { webhookHeaders } from '#src/base/platform/outgoing/webhookSignature.ts';
import { type AttemptEnd, claimMessages, endAttempt, type MessageRecord } from '#src/outgoing/store/messageRecord.ts';
import { mlflowMessage } from './mlflowMessage.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** By what messages leave this process. */
export interface Outlets {
  guard: AddressGuard;
  /** Null: this server sends no e-mail. */
  mail: MailServer | null;
  /** Where people find this server: `https://warren.example.org`, without a slash at its end. */
  publicUrl: string;
}

/** An attempt ends after this long, whatever happens; another process may make the next after `HOLD_MS`. */
const ATTEMPT_MS = 8_000;
const HOLD_MS = 12_000;
/** Seconds after the attempts before each next one: a day in all. */
const DELAYS = [2, 5, 15, 60, 300, 900, 3_600, 10_800, 21_600, 43_200];
/** How long a message may wait after 0, 1, 2 … attempts, the last of which may be under way. */
const LONGEST_MS = [0, ...[...DELAYS, 0].map((seconds) => Math.max(HOLD_MS, 1_000 * seconds))];
/** Statuses after which trying again would help nobody: the receiver says that it is gone. */
const GONE = 410;
const LONGEST_PROBLEM = 500;

/**
 * Makes an attempt for every message that is due, `most` at once, and answers how many it has begun; `pending` ends when
 * they have ended. Call it from any number of processes: a message is held by one of them at a time. One whose process is
 * killed is sent again by another, under the same id.
 */
export async function deliverMessages(
  { db }: Pick<ServiceContext, 'db'>,
  outlets: Outlets,
  most: number,
): Promise<{ begun: number; pending: Promise<unknown>[] }> {
  const messages = most > 0 ? await claimMessages(db, { most, holdMs: HOLD_MS, longestMs: LONGEST_MS }) : [];
  const pending = messages.map(async (message) => {
    await endAttempt(db, message, await attempt(message, outlets));
  });
  return { begun: messages.length, pending };
}

async function attempt(message: MessageRecord, outlets: Outlets): Promise<AttemptEnd> {
  try {
    const status = await send(message, outlets);
    if (status === null || (status >= 200 && status < 300)) return { state: 'SENT' };
    const redirected =
      status >= 300 && status < 400 ? ': redirects are not followed, give the address they lead to' : '';
    return failed(message, `the receiver answered HTTP ${status}${redirected}`, status === GONE);
  } catch (error) {
    const { code, message: problem } = toErrorRecord(error);
    return failed(message, problem, code === 'FORBIDDEN' || code === 'BAD_INPUT');
  }
}

function failed({ attempts }: MessageRecord, problem: string, forGood: boolean): AttemptEnd {
  const seconds = DELAYS[attempts - 1];
  const state = forGood || seconds === undefined ? 'FAILED' : 'PENDING';
  return { state, problem: shorten(problem, LONGEST_PROBLEM), delayMs: 1_000 * (seconds ?? 0) };
}

/** The status of a webhook's answer; null where the mail server took the message. */
async function send(message: MessageRecord, { guard, mail, publicUrl }: Outlets): Promise<number | null> {
  const { id, channel, content, createdAt } = message;
  const json = { 'content-type': 'application/json' };
  const text = content.text.replaceAll(SERVER_MARK, publicUrl);
  switch (channel.type) {
    case 'webhook': {
      const { type, data } = content;
      const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), server: publicUrl, data });
      const timestampSeconds = Math.floor(Date.now() / 1_000);
      const headers = { ...json, ...webhookHeaders(channel.secret, { id, timestampSeconds, body }) };
      return await guardedPost({ url: channel.url, headers, body, guard, timeoutMs: ATTEMPT_MS });
    }
    case 'mlflow': {
      const { type: event, data } = content;
      const sent = mlflowMessage({ id, event, createdAt, data, secret: channel.secret });
      return await guardedPost({ url: channel.url, ...sent, guard, timeoutMs: ATTEMPT_MS });
    }
    case 'slack': {
      const body = JSON.stringify({ text: slackText(text === '' ? content.title : `*${content.title}*\n${text}`) });
      const headers = { ...json, 'webhook-id': id };
      return await guardedPost({ url: channel.url, headers, body, guard, timeoutMs: ATTEMPT_MS });
    }
    case 'email':
      if (mail === null) throw new Error('this server sends no e-mail: set WARREN_SMTP_URL');
      await withinTime(sendEmail(mail, { id, to: channel.to, subject: content.title, text }, ATTEMPT_MS));
      return null;
    default:
      return assertNever(channel);
  }
}

/** A mail server that answers a little at a time would hold the attempt beyond its turn. */
async function withinTime(sending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ATTEMPT_MS / 1_000} s`)), ATTEMPT_MS);
  });
  await Promise.race([sending, late]).finally(() => clearTimeout(timer));
}

/** What Slack would read as markup: links and mentions come from `<`. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
