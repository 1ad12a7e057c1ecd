import type { ApiClient } from '../terminal/apiClient.ts';

/** The address of a run in the dashboard. */
export function runAddress({ url }: Pick<ApiClient, 'url'>, number: number): string {
  return `${url}/runs/${number}`;
}

/** The address of a sweep in the dashboard. */
export function sweepAddress({ url }: Pick<ApiClient, 'url'>, number: number): string {
  return `${url}/sweeps/${number}`;
}
