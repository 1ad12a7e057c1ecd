import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret for signatures of webhooks: 32 random bytes. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/**
 * Headers that name and sign a message: HMAC-SHA256 over `id.timestamp.body`, as https://www.standardwebhooks.com says, so
 * that its libraries verify it. Receivers know by `webhook-id` a message that comes twice.
 * @param timestampSeconds Unix time of this attempt: receivers refuse old ones, which somebody may have recorded.
 */
export function webhookHeaders(
  secret: string,
  { id, timestampSeconds, body }: { id: string; timestampSeconds: number; body: string },
): Record<string, string> {
  const key = Buffer.from(secret.slice(secret.startsWith(PREFIX) ? PREFIX.length : 0), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${signature}`,
  };
}
