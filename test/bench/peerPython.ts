import { existsSync } from 'node:fs';

/**
 * The Python that has the peers' packages: WARREN_PEER_PYTHON, such as that of a virtual environment with a newer PyTorch, else
 * the system's own, whatever comes first on the PATH.
 */
export const PEER_PYTHON =
  process.env.WARREN_PEER_PYTHON || (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3');

/**
 * What peers find in their environment. PyTorch's threads wait for each other in a loop. Where other processes want the cores, too,
 * that took 15 times the processor time and 30 times the clock's: it would measure the load, not the library.
 */
export const PEER_ENVIRONMENT = { ...process.env, OMP_WAIT_POLICY: 'PASSIVE' };
