// Waits for its parent, a test process, to end; then ends what the parent left behind. It is told folders, one a line: a
// process that mentions one of them in its command line or its environment, or works in it, belongs to the parent.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';

let told = '';
process.stdin.on('data', (chunk) => {
  told += chunk;
});
process.stdin.on('end', () => {
  const folders = told.split('\n').filter((folder) => folder !== '');
  for (let round = 0; round < 3; round++) {
    for (const { pid, text } of processes()) {
      if (pid === process.pid || !folders.some((folder) => text.includes(folder))) continue;
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

function processes() {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-Ao', 'pid=,command='], { encoding: 'utf8' }).split('\n');
    return lines.map((line) => ({ pid: Number.parseInt(line, 10), text: line })).filter(({ pid }) => pid > 0);
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const folder = `/proc/${name}`;
      const parts = [
        () => readFileSync(`${folder}/cmdline`, 'utf8'),
        () => readFileSync(`${folder}/environ`, 'utf8'),
        () => readlinkSync(`${folder}/cwd`),
      ];
      return { pid: Number(name), text: parts.map(textOf).join('\n') };
    });
}

/** Empty for a process that has ended, or is none of our business. */
function textOf(read) {
  try {
    return read();
  } catch {
    return '';
  }
}
