import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { valueAt } from '#src/base/lib/plainObject.ts';
import { isLoopbackUrl, type SignInSettings } from '#src/base/platform/signInSettings.ts';
import type { Identity } from '#src/people/users.ts';
import type { Configuration } from 'openid-client';

/** What must come back as it was sent, or is sent after what came back. */
export interface SignInChecks {
  state: string;
  nonce: string;
  verifier: string;
}

/** Sends people to an OpenID provider and reads what it says of those who come back. */
export interface OpenidProvider {
  /** Where to send the browser, with checks made for this once. @throws WarrenError UNAVAILABLE without an answer of the provider. */
  begin(): Promise<{ address: URL; checks: SignInChecks }>;
  /**
   * Who came back to `current`, the address with the provider's parameters.
   * @throws WarrenError BAD_INPUT where state, code, nonce or signature are not what they should be, UNAVAILABLE as above.
   */
  finish(current: URL, checks: SignInChecks): Promise<Identity>;
}

const TIMEOUT_SECONDS = 10;
const CLOCK_SECONDS = 30;
const LONGEST_TEXT = 320;
const MOST_GROUPS = 1_000;

/**
 * The authorization code flow with PKCE (S256), state and nonce, by `openid-client`, which is loaded at the first use. The provider is
 * asked what it offers then, and again after a failure.
 */
export function openidProvider(settings: SignInSettings): OpenidProvider {
  const redirectUri = `${settings.publicOrigin}/auth/callback`;
  let known: Promise<Configuration> | null = null;
  const configuration = async (): Promise<Configuration> => {
    known ??= discover(settings);
    try {
      return await known;
    } catch (error) {
      known = null;
      throw new WarrenError('UNAVAILABLE', `the sign-in provider ${settings.issuer} does not answer; try again later`, {
        cause: error,
      });
    }
  };

  return {
    async begin() {
      const client = await import('openid-client');
      const config = await configuration();
      const verifier = client.randomPKCECodeVerifier();
      const checks = { state: client.randomState(), nonce: client.randomNonce(), verifier };
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { address, checks };
    },
    async finish(current, { state, nonce, verifier }) {
      const client = await import('openid-client');
      const config = await configuration();
      try {
        const tokens = await client.authorizationCodeGrant(config, current, {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('the provider gave no ID token');
        const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
        const more = hasMore ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
        return identityOf([more, claims], settings);
      } catch (error) {
        throw new WarrenError(
          'BAD_INPUT',
          `the answer of the provider does not hold (${reasonOf(error)}); sign in again`,
          {
            cause: error,
          },
        );
      }
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: SignInSettings): Promise<Configuration> {
  const client = await import('openid-client');
  const insecure = isLoopbackUrl(issuer) && issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    execute: insecure,
    timeout: TIMEOUT_SECONDS,
  });
  const server = found.serverMetadata();
  // Basic is what providers take that name no method
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication =
    clientSecret === null
      ? client.None()
      : methods.includes('client_secret_basic')
        ? client.ClientSecretBasic(clientSecret)
        : client.ClientSecretPost(clientSecret);
  const config = new client.Configuration(server, clientId, { [client.clockTolerance]: CLOCK_SECONDS }, authentication);
  config.timeout = TIMEOUT_SECONDS;
  for (const allow of insecure) allow(config);
  client.enableNonRepudiationChecks(config);
  return config;
}

/** The provider's own word for what is wrong, which holds no secret. */
function reasonOf(error: unknown): string {
  const { error: code, code: own } = Object(error);
  const word = [code, own].find((one) => typeof one === 'string');
  return typeof word === 'string' ? word.slice(0, 60) : 'it was not understood';
}

const text = z.string().max(LONGEST_TEXT).catch('');
const claimsSchema = z.object({
  sub: z.string().min(1).max(LONGEST_TEXT),
  name: text,
  preferred_username: text,
});
const groupsSchema = z.union([z.string().transform((one) => [one]), z.array(z.string()).max(MOST_GROUPS)]);

type Claims = Readonly<Record<string, unknown>>;

/**
 * What the claims of a person say; of several answers of the provider the first that has a claim counts. An address is verified where
 * each answer that names it and speaks of that says so: one answer's word does not count for another's address.
 */
export function identityOf(
  answers: readonly Claims[],
  { groupsClaim, verifiedClaim }: Pick<SignInSettings, 'groupsClaim' | 'verifiedClaim'>,
): Identity {
  const claims: Claims = Object.assign({}, ...answers.toReversed());
  const { sub, name, preferred_username: userName } = claimsSchema.parse(claims);
  const addressOf = (answer: Claims): string => text.parse(answer.email).trim();
  const email = answers.map(addressOf).find((one) => one !== '') ?? '';
  const said = answers.flatMap((answer) => {
    const word = valueAt(answer, verifiedClaim);
    return word === undefined || word === null || addressOf(answer) !== email ? [] : [word];
  });
  const groups = groupsSchema.safeParse(valueAt(claims, groupsClaim));
  return {
    subject: sub,
    email,
    emailVerified: email !== '' && said.length > 0 && said.every((word) => TRUE.has(word)),
    name: name || userName,
    groups: groups.success ? groups.data : [],
  };
}

/** Some providers send a text, Entra's `xms_edov` also a number. */
const TRUE: ReadonlySet<unknown> = new Set([true, 'true', 1, '1']);
