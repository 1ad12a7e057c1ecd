import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '#src/platform/environment.ts';

describe('readEnvironment', () => {
  it('fills in every default from an empty environment', () => {
    const home = resolve('.warren');
    expect(readEnvironment({})).toEqual({
      home,
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
      slots: 1,
      threads: availableParallelism(),
      allowCommands: false,
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
      answerLimits: { statementMs: 15_000, silenceMs: 20_000 },
      slowSeconds: 2,
      drainSeconds: 0,
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
    });
    expect(environment.databaseUrl).toBe('postgresql://u:p@h/warren');
    expect(environment.redisUrl).toBe('rediss://h:6380/1');
    expect(environment.apiUrl).toBe('https://warren.example/base');
    expect(environment.slots).toBe(4);
    expect(environment.origins).toEqual(['https://a.example', 'https://b.example']);
    expect(environment.logLevel).toBe('debug');
    expect(environment.backend).toBe('wasm');
  });

  it.each([
    [{ WARREN_PORT: 'http' }, 'WARREN_PORT: expected a whole number from 0 to 65535, got "http"'],
    [{ WARREN_PORT: '70000' }, 'WARREN_PORT: expected a whole number from 0 to 65535, got "70000"'],
    [{ WARREN_SLOTS: '0' }, 'WARREN_SLOTS: expected a whole number from 1 to 64, got "0"'],
    [{ WARREN_BACKEND: 'cuda' }, 'WARREN_BACKEND: expected one of tensorflow, webgpu, wasm, cpu, got "cuda"'],
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
});
