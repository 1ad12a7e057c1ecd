import { existsSync } from 'node:fs';

/** The Python that has Debian's packages of the peers, whatever else comes first on the PATH. */
export const PEER_PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
