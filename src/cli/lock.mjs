import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Takes the lock folder left by a process that is gone; a folder without a readable pid is in the making. */
function removeStale(folder) {
  let pid;
  try {
    pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  } catch {
    return;
  }
  if (Number.isInteger(pid) && pid > 0 && !isAlive(pid)) rmSync(folder, { recursive: true, force: true });
}

/** Runs `work` while holding a lock folder, so that two starts at once do not build over each other. */
export async function withLock(folder, work) {
  const deadline = Date.now() + 600_000;
  for (;;) {
    try {
      mkdirSync(folder);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (Date.now() > deadline)
        throw new Error(`another start holds ${folder} for ten minutes; remove it if none runs`);
      removeStale(folder);
      await delay(100);
    }
  }
  try {
    writeFileSync(join(folder, 'pid'), String(process.pid));
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
