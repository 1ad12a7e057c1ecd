import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '#src/base/platform/environment.ts';

describe('readEnvironment', () => {
  it('fills in every default from an empty environment', () => {
    const home = resolve('.warren');
    expect(readEnvironment({})).toEqual({
      home,
      artifacts: join(home, 'artifacts'),
      artifactsGiven: false,
      artifactLinks: false,
      checkpointDays: null,
      logDays: null,
      logBytes: 64 * 2 ** 20,
      pointDays: null,
      pointsKept: 500,
      bucketSettings: { endpoint: null, region: null },
      dataFolders: [join(home, 'data')],
      cacheFolder: join(home, 'cache'),
      databaseUrl: null,
      redisUrl: null,
      queuePrefix: 'warren',
      host: '127.0.0.1',
      kindModules: [],
      port: 4680,
      apiUrl: null,
      token: null,
      backend: null,
      arithmetic: 'plain',
      slots: 1,
      threads: availableParallelism(),
      allowCommands: false,
      trustCommands: false,
      commandUser: null,
      commandFolder: '/var/lib/warren-commands',
      gpus: null,
      memoryMb: null,
      labels: [],
      logLevel: 'info',
      origins: [],
      portGiven: false,
      requireToken: false,
      seriesPerRun: 2_000,
      heartbeatLeaseSeconds: 60,
      reportLeaseSeconds: 900,
      offline: false,
      trashDays: null,
      allowedNetworks: [],
      libtensorflow: null,
      publicUrl: null,
      smtpFrom: null,
      smtpUrl: null,
      signIn: null,
      auditDays: 365,
      answerLimits: { statementMs: 15_000, silenceMs: 20_000 },
      slowSeconds: 2,
      drainSeconds: 0,
      startSeconds: 60,
    });
  });

  it('treats an empty variable as unset', () => {
    expect(readEnvironment({ WARREN_PORT: '', DATABASE_URL: ' ', WARREN_LOG: '' })).toEqual(readEnvironment({}));
  });

  it('searches the folders of WARREN_DATA in order, then its own, each once', () => {
    const environment = readEnvironment({ WARREN_HOME: '/w', WARREN_DATA: '/a::relative:/a:/w/data' });
    expect(environment.dataFolders).toEqual(['/a', resolve('relative'), '/w/data']);
  });

  it('keeps what is given', () => {
    const environment = readEnvironment({
      DATABASE_URL: 'postgresql://u:p@h/warren',
      REDIS_URL: 'rediss://h:6380/1',
      WARREN_API_URL: 'https://warren.example/base//',
      WARREN_SLOTS: '4',
      WARREN_ORIGINS: 'https://a.example, https://b.example,',
      WARREN_LOG: 'debug',
      WARREN_BACKEND: 'wasm',
      WARREN_FUSED: 'on',
    });
    expect(environment.databaseUrl).toBe('postgresql://u:p@h/warren');
    expect(environment.redisUrl).toBe('rediss://h:6380/1');
    expect(environment.apiUrl).toBe('https://warren.example/base');
    expect(environment.slots).toBe(4);
    expect(environment.origins).toEqual(['https://a.example', 'https://b.example']);
    expect(environment.logLevel).toBe('debug');
    expect(environment.backend).toBe('wasm');
    expect([environment.arithmetic, readEnvironment({}).arithmetic]).toEqual(['fused', 'plain']);
    expect(readEnvironment({ WARREN_OPENBLAS: '/usr/lib/libopenblas.so.0' }).arithmetic).toBe('openblas');
    expect(readEnvironment({ WARREN_OPENBLAS: 'off', WARREN_FUSED: 'on' }).arithmetic).toBe('fused');
  });

  it.each([
    [{ WARREN_PORT: 'http' }, 'WARREN_PORT: expected a whole number from 0 to 65535, got "http"'],
    [{ WARREN_PORT: '70000' }, 'WARREN_PORT: expected a whole number from 0 to 65535, got "70000"'],
    [{ WARREN_SLOTS: '0' }, 'WARREN_SLOTS: expected a whole number from 1 to 64, got "0"'],
    [{ WARREN_BACKEND: 'cuda' }, 'WARREN_BACKEND: expected one of tensorflow, webgpu, wasm, cpu, got "cuda"'],
    [{ WARREN_FUSED: 'yes' }, 'WARREN_FUSED: expected on, or off for the default, got "yes"'],
    [
      { WARREN_FUSED: 'on', WARREN_OPENBLAS: 'on' },
      'WARREN_OPENBLAS: expected off, or WARREN_FUSED off: a run rounds in one way',
    ],
    [{ WARREN_API_URL: 'localhost:4680' }, 'WARREN_API_URL: expected an address such as http://127.0.0.1:4680, got '],
    [{ WARREN_LOG: 'loud' }, 'WARREN_LOG: expected one of fatal, error, warn, info, debug, trace, silent, got "loud"'],
    [{ WARREN_QUEUE_PREFIX: 'a:b' }, 'WARREN_QUEUE_PREFIX: expected a letter'],
  ])('names the variable and what would be right: %o', (source, message) => {
    expect(() => readEnvironment(source)).toThrow(message);
  });

  it('does not repeat a secret in its error', () => {
    expect(() => readEnvironment({ DATABASE_URL: 'mysql://u:hush@h/d' })).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', message: expect.not.stringContaining('hush') }),
    );
  });

  it('takes a bucket for artifacts, where AWS says it is, and says what is wrong with one that cannot be', () => {
    const found = readEnvironment({
      WARREN_ARTIFACTS: 's3://lab-artifacts/warren/',
      AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000',
      AWS_REGION: 'eu-west-1',
    });
    const [bucket, endpoint] = ['lab-artifacts', 'http://127.0.0.1:9000'];
    expect(found.artifacts).toEqual({ bucket, prefix: 'warren/', endpoint, region: 'eu-west-1' });
    expect(readEnvironment({ WARREN_ARTIFACTS: 'here' }).artifacts).toBe(resolve('here'));
    for (const wrong of ['s3://', 's3://Upper/x', 's3://bucket/../x', 'gs://bucket/x', 's3://bucket//x']) {
      expect(() => readEnvironment({ WARREN_ARTIFACTS: wrong })).toThrow(/^WARREN_ARTIFACTS: expected /);
    }
    expect(() => readEnvironment({ AWS_ENDPOINT_URL_S3: 'localhost:9000' })).toThrow(/^AWS_ENDPOINT_URL_S3: expected /);
  });

  it.each([
    ['WARREN_OIDC_CLIENT_ID', { WARREN_OIDC_CLIENT_ID: '' }],
    ['WARREN_PUBLIC_URL', { WARREN_PUBLIC_URL: '' }],
    ['WARREN_PUBLIC_URL', { WARREN_PUBLIC_URL: 'http://warren.example' }],
    ['WARREN_PUBLIC_URL', { WARREN_PUBLIC_URL: 'https://warren.example/base' }],
    ['WARREN_OIDC_ISSUER', { WARREN_OIDC_ISSUER: 'http://login.example' }],
    ['WARREN_OIDC_SCOPES', { WARREN_OIDC_SCOPES: 'email' }],
    ['WARREN_OIDC_ROLES', { WARREN_OIDC_ROLES: 'admins=ADMIN' }],
    ['WARREN_OIDC_ROLES', { WARREN_OIDC_ROLES: '{"lab": {"papers": "OWNER"}}' }],
    ['WARREN_OIDC_DEFAULT_ROLE', { WARREN_OIDC_DEFAULT_ROLE: 'owner' }],
  ])('names %s where it keeps people from signing in', (name, wrong) => {
    const right = {
      WARREN_OIDC_ISSUER: 'https://login.example',
      WARREN_OIDC_CLIENT_ID: 'warren',
      WARREN_PUBLIC_URL: 'https://warren.example',
    };
    expect(readEnvironment(right).signIn).toMatchObject({ idleHours: 12, clientSecret: null });
    expect(() => readEnvironment({ ...right, ...wrong })).toThrow(name);
  });
});
