/** Lines of a stderr, each with the level that it says it has. */
export const STDERR_LINES = [
  ['INFO:root:starting', 'info'],
  ['DEBUG:urllib3.connectionpool:Starting new connection', 'debug'],
  ['WARNING:root:no GPU found', 'warn'],
  ['ERROR: gradient exploded', 'error'],
  ['2026-01-02 03:04:05,678 - train - CRITICAL - out of memory', 'error'],
  ['2026-01-02 03:04:05.678 | WARNING  | __main__:main:12 - slow', 'warn'],
  ['[2026-01-02 03:04:05][INFO] ready', 'info'],
  ['[WARN|trainer.py:12] 2026-01-02 >> no scheduler', 'warn'],
  ['train.py:3: UserWarning: the loss is not finite', 'warn'],
  ['warning: unused variable', 'warn'],
  ['W0102 03:04:05.678901 12 pool.cc:7] retried', 'warn'],
  ['2026-01-02 03:04:05.678901: I tensorflow/core/util/port.cc:153] oneDNN is on', 'info'],
  ['2026-01-02 03:04:05.678901: E external/local_xla/stream.cc:9] no device', 'error'],
  ['ValueError: loss is not finite', 'error'],
  ['torch.cuda.OutOfMemoryError: CUDA out of memory.', 'error'],
  ['TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be a string', 'error'],
  [' 45%|████▌     | 45/100 [00:01<00:01, 44.1it/s]', 'info'],
  ['epoch 3: ERROR rate 0.3', 'info'],
  ['ERRORS so far: 0', 'info'],
  ['In 3 s', 'info'],
  ['0'.repeat(20_000), 'info'],
  ['', 'info'],
] as const;

/** What Python prints of an error within the handling of another. */
export const TRACEBACK = [
  'Traceback (most recent call last):',
  '  File "train.py", line 3, in <module>',
  '    step()',
  'KeyError: 1',
  '',
  'During handling of the above exception, another exception occurred:',
  '  File "train.py", line 5, in <module>',
  'ValueError: loss is not finite',
];
