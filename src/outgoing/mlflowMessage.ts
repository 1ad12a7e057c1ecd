import { createHmac } from 'node:crypto';

export interface MlflowMessage {
  /** The same at every attempt. */
  id: string;
  /** Such as `model_version.created`. */
  event: string;
  createdAt: Date;
  data: Record<string, unknown>;
  /** Null: unsigned. */
  secret: string | null;
}

/**
 * What a webhook of MLflow's gets, as MLflow's server sends it (mlflow/webhooks/delivery.py): HMAC-SHA256 over `id.timestamp.body`
 * with the secret as it was given.
 */
export function mlflowMessage({ id, event, createdAt, data, secret }: MlflowMessage): {
  headers: Record<string, string>;
  body: string;
} {
  const [entity, action] = event.split('.');
  const timestamp = createdAt.toISOString().replace('Z', '+00:00');
  const body = JSON.stringify({ entity, action, timestamp, data });
  const seconds = String(Math.floor(Date.now() / 1_000));
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'X-MLflow-Delivery-Id': id,
    'X-MLflow-Timestamp': seconds,
  };
  if (secret === null || secret === '') return { headers, body };
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
  return { headers: { ...headers, 'X-MLflow-Signature': `v1,${signature}` }, body };
}
