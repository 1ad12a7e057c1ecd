import { expect, it } from 'vitest';
import { looksSecret } from '#src/runs/command/secretFiles.ts';

it('knows files of keys and passwords by their names, and takes no code for one', () => {
  const secret = [
    '.env',
    'app/.env.local',
    'tls/server.pem',
    'id_ed25519',
    'home/.ssh/id_rsa',
    'credentials',
    '.netrc',
  ];
  const more = ['aws/credentials.json', 'service-account-lab.json', 'signing.key', '.pypirc'];
  const open = [
    '.env.example',
    'id_map.py',
    'credentials.py',
    'environment.yml',
    'id_rsa.pub',
    'keys.py',
    'data/key.csv',
  ];
  expect([...secret, ...more, ...open].filter(looksSecret)).toEqual([...secret, ...more]);
});
