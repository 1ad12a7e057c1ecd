import { expect, test } from 'vitest';
import {
  apiEnvironment,
  bucketEnvironment,
  computeEnvironment,
  postgresEnvironment,
  workerEnvironment,
} from '#src/base/platform/processes/childEnvironment.ts';

const SURROUNDINGS = {
  Path: '/bin',
  HOME: '/home/ada',
  LC_TIME: 'C.UTF-8',
  CUDA_VISIBLE_DEVICES: '1',
  https_proxy: 'http://proxy:3128',
  NODE_OPTIONS: '--max-old-space-size=8192',
  DATABASE_URL: 'postgresql://warren:password@db/warren',
  REDIS_URL: 'redis://:password@queue',
  PGPASSWORD: 'password',
  WARREN_TOKEN: 'warren_secret',
  WARREN_API_URL: 'http://api',
  WARREN_DATA: '/data',
  AWS_SECRET_ACCESS_KEY: 'secret',
  LD_PRELOAD: '/tmp/evil.so',
};

test('a process that computes sees the machine, the network and its settings, and no address of a service', () => {
  expect(Object.keys(computeEnvironment(SURROUNDINGS)).sort()).toEqual([
    'CUDA_VISIBLE_DEVICES',
    'HOME',
    'LC_TIME',
    'NODE_OPTIONS',
    'Path',
    'WARREN_DATA',
    'https_proxy',
  ]);
});

test('the API and workers see the addresses of their services, too, and no token', () => {
  for (const environment of [apiEnvironment(SURROUNDINGS), workerEnvironment(SURROUNDINGS)]) {
    const seen = Object.keys(environment);
    expect(seen).toEqual(expect.arrayContaining(['DATABASE_URL', 'REDIS_URL', 'PGPASSWORD', 'WARREN_API_URL']));
    expect(seen).not.toContain('WARREN_TOKEN');
    expect(seen).not.toContain('AWS_SECRET_ACCESS_KEY');
  }
});

test('how people sign in and are written to is for the API alone', () => {
  const secrets = { WARREN_OIDC_CLIENT_SECRET: 'secret', WARREN_SMTP_URL: 'smtp://warren:password@mail' };
  expect(apiEnvironment(secrets)).toEqual(secrets);
  expect(workerEnvironment(secrets)).toEqual({});
});

test('the keys of a bucket are for the API alone', () => {
  expect(bucketEnvironment(SURROUNDINGS)).toEqual({ AWS_SECRET_ACCESS_KEY: 'secret' });
});

test('PostgreSQL sees the machine alone', () => {
  expect(postgresEnvironment(SURROUNDINGS)).toEqual({ Path: '/bin', HOME: '/home/ada', LC_ALL: 'C' });
});
