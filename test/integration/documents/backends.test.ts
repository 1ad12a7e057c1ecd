import { expect, it } from 'vitest';
import { fusedSupport } from '#workers/wasm/calls/fusedSupport.ts';
import { openblasSupport } from '#workers/wasm/calls/openblasSupport.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const document = documentForTests('backends.md');
const [look = '', verify = ''] = document.take('doctor').trim().split('\n');
const force = document.take('force', { '--local': '--local --json' });
const fused = document.take('fused', { '--local': '--local --json' });
const [openblasInstall = '', openblasRun = ''] = document
  .take('openblas', { '--local': '--local --json' })
  .trim()
  .split('\n');
const [install = '', from = ''] = document.take('tensorflow').trim().split('\n');
const home = { WARREN_HOME: temporaryFolder() };

it('says which backends are here', async () => {
  // Its exit code is 1 where nothing answers as an API: what it says counts here.
  expect(await runShell(`${look} || true`, home)).toContain('wasm');
});

// The checks themselves are test/backends/verification.test.ts.
it('names the check of every backend by its option', async () => {
  expect(await runShell(verify.replace('--verify', '--help'), home)).toContain('--verify');
});

it('computes on the backend that is asked for', async () => {
  expect(JSON.parse(await runShell(force, home))).toMatchObject({ backend: 'wasm' });
});

it('computes with fused multiply-adds where that is asked for and the processor has them', async () => {
  const { device } = JSON.parse(await runShell(fused, home));
  if (fusedSupport() === 'fused') expect(device).toMatch(/fused multiply-adds$/);
  else expect(device).not.toContain('fused');
});

it('multiplies by OpenBLAS where that is asked for and it is here, and else says what to do', async () => {
  expect(await runShell(openblasInstall.replace('openblas ', '--help '), home)).toContain('openblas');
  const support = openblasSupport({});
  if ('reason' in support) {
    const refused = openblasRun.replace(/$/, ' 2>&1 || true');
    expect(await runShell(refused, home)).toMatch(/WARREN_OPENBLAS: OpenBLAS is not installed: run `.*`/);
  } else {
    const named = openblasRun.replace('WARREN_OPENBLAS=on', `WARREN_OPENBLAS=${support.file}`);
    const { device } = JSON.parse(await runShell(named, home));
    expect(device).toMatch(/products by OpenBLAS$/);
  }
});

// What is installed is hundreds of megabytes: the backend suite takes it where it is.
it('installs TensorFlow, or says what is missing', async () => {
  expect(await runShell(install.replace('tensorflow ', '--help '), home)).toContain('--from <path>');
  const nowhere = from.replace('FOLDER ', '/nowhere ').replace('#', '2>&1 || true #');
  expect(await runShell(nowhere, home)).toContain('there is no folder /nowhere');
});
