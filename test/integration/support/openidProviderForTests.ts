import { createServer, type RequestListener } from 'node:http';
import Provider, { type KoaContextWithOIDC } from 'oidc-provider';
import { listenOn } from '#src/server/listenOn.ts';
import { atEndOfFile } from './atEndOfFile.ts';

/** What the provider says of a person. */
export interface TestPerson {
  email: string;
  email_verified: boolean;
  name: string;
  groups: string[];
}

export interface TestProvider {
  issuer: string;
  /** By their ids; the next who signs in is `person`. */
  people: Record<string, TestPerson>;
  person: string;
}

/** A real OpenID provider in this process, where whoever comes is signed in as `person` without being asked. */
export async function openidProviderForTests(client: {
  id: string;
  secret: string;
  redirectUri: string;
}): Promise<TestProvider> {
  let answer: RequestListener = (_request, response) => void response.end();
  const server = createServer((request, response) => answer(request, response));
  const port = await listenOn(server, { host: '127.0.0.1', port: 0, orNext: false });
  atEndOfFile(() => new Promise((resolve) => server.close(resolve)));
  const issuer = `http://127.0.0.1:${port}`;
  const settings: TestProvider = { issuer, people: {}, person: '' };
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [client.redirectUri] }],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['only for tests'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...settings.people[id] }) }),
    async loadExistingGrant({ oidc }: KoaContextWithOIDC) {
      const grant = new provider.Grant({ clientId: client.id, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  answer = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: settings.person } });
  };
  return settings;
}
