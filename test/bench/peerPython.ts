import { existsSync } from 'node:fs';

/**
 * The Python that has the peers' packages: WARREN_PEER_PYTHON, such as that of a virtual environment with a newer PyTorch, else
 * the system's own, whatever comes first on the PATH.
 */
export const PEER_PYTHON =
  process.env.WARREN_PEER_PYTHON || (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3');
