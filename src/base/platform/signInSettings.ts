import { z } from 'zod';
import { badInput } from '../contracts/errors.ts';

export const SIGN_IN_ROLES = ['READ', 'WRITE', 'ADMIN'] as const;
export type SignInRole = (typeof SIGN_IN_ROLES)[number];

/** How people sign in through an OpenID provider. */
export interface SignInSettings {
  /** WARREN_OIDC_ISSUER: the provider's address, below which its `.well-known/openid-configuration` is. */
  issuer: string;
  /** WARREN_OIDC_CLIENT_ID: what the provider knows this server by. */
  clientId: string;
  /** WARREN_OIDC_CLIENT_SECRET; null: a public client, which PKCE alone protects. */
  clientSecret: string | null;
  /** WARREN_OIDC_SCOPES, separated by spaces; default `openid email profile`. */
  scopes: string;
  /** WARREN_OIDC_DOMAINS, comma-separated: only addresses in these, which the provider has verified; empty: any. */
  domains: string[];
  /** WARREN_OIDC_GROUPS_CLAIM: default `groups`; `realm_access.roles` looks into an object. */
  groupsClaim: string;
  /** WARREN_OIDC_VERIFIED_CLAIM: says whether the address is the person's; default `email_verified`, for Entra `xms_edov`. */
  verifiedClaim: string;
  /** WARREN_OIDC_ROLES: what the members of a group may do in all projects, or in some. */
  roles: Readonly<Record<string, GroupRights>>;
  /** WARREN_OIDC_DEFAULT_ROLE: of everybody else in all projects; null, the default: nothing. */
  defaultRole: SignInRole | null;
  /** WARREN_OIDC_GROUP_DAYS: what groups give holds for own tokens of a person so long after signing in; default 30. */
  groupDays: number;
  /** The origin of WARREN_PUBLIC_URL, below which the provider sends people back to `/auth/callback`. */
  publicOrigin: string;
  /** WARREN_SESSION_HOURS: after so many hours people sign in again; default 168. */
  sessionHours: number;
  /** WARREN_SESSION_IDLE_HOURS: the same after so many hours without a request; default 12. */
  idleHours: number;
}

/** The default of WARREN_OIDC_GROUP_DAYS. */
export const GROUP_DAYS = 30;

/** A role in all projects, or roles by the names of projects. */
export type GroupRights = SignInRole | Readonly<Record<string, SignInRole>>;

/** The variables, as text; null where they are not set. */
export interface SignInVariables {
  issuer: string | null;
  clientId: string | null;
  clientSecret: string | null;
  scopes: string | null;
  domains: string | null;
  groupsClaim: string | null;
  verifiedClaim: string | null;
  groupDays: number;
  roles: string | null;
  defaultRole: string | null;
  publicUrl: string | null;
  sessionHours: number;
  idleHours: number;
}

const roleSchema = z.enum(SIGN_IN_ROLES);
const rolesSchema = z.record(z.string().min(1), z.union([roleSchema, z.record(z.string().min(1), roleSchema)]));

/**
 * Checks the settings together; null where no issuer is named.
 * @throws WarrenError BAD_INPUT that names the first variable that is wrong or missing, and what would be right.
 */
export function readSignInSettings(variables: SignInVariables): SignInSettings | null {
  const { issuer, clientId, publicUrl } = variables;
  if (issuer === null) return null;
  refuseInsecure(issuer, 'WARREN_OIDC_ISSUER');
  if (clientId === null) {
    throw badInput('WARREN_OIDC_CLIENT_ID: WARREN_OIDC_ISSUER needs it beside it', 'WARREN_OIDC_CLIENT_ID');
  }
  const scopes = (variables.scopes ?? 'openid email profile').split(/\s+/);
  if (!scopes.includes('openid')) {
    throw badInput('WARREN_OIDC_SCOPES: expected openid among the scopes', 'WARREN_OIDC_SCOPES');
  }
  return {
    ...{ issuer, clientId, clientSecret: variables.clientSecret, scopes: scopes.join(' ') },
    domains: listed(variables.domains).map((domain) => domain.toLowerCase().replace(/^@/, '')),
    groupsClaim: variables.groupsClaim ?? 'groups',
    verifiedClaim: variables.verifiedClaim ?? 'email_verified',
    groupDays: variables.groupDays,
    roles: readRoles(variables.roles),
    defaultRole: readDefaultRole(variables.defaultRole),
    publicOrigin: originOf(publicUrl),
    ...{ sessionHours: variables.sessionHours, idleHours: variables.idleHours },
  };
}

function listed(given: string | null): string[] {
  return (given ?? '').split(',').flatMap((one) => one.trim() || []);
}

function readDefaultRole(given: string | null): SignInRole | null {
  if (given === null || given.toLowerCase() === 'none') return null;
  const role = roleSchema.safeParse(given.toUpperCase());
  if (role.success) return role.data;
  const message = `WARREN_OIDC_DEFAULT_ROLE: expected READ, WRITE, ADMIN or none, got ${JSON.stringify(given)}`;
  throw badInput(message, 'WARREN_OIDC_DEFAULT_ROLE');
}

function readRoles(given: string | null): Readonly<Record<string, GroupRights>> {
  if (given === null) return {};
  const example = '{"admins": "ADMIN", "lab": {"papers": "WRITE"}, "user:ann@example.org": "ADMIN"}';
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    throw badInput(`WARREN_OIDC_ROLES: expected JSON such as ${example}`, 'WARREN_OIDC_ROLES');
  }
  const roles = rolesSchema.safeParse(value);
  if (roles.success) {
    const odd = Object.keys(roles.data).find((key) => key.startsWith('user:') && !/^[!-~]+$/.test(key));
    if (odd === undefined) return roles.data;
    const message = `WARREN_OIDC_ROLES: ${JSON.stringify(odd)}: expected an address of printable ASCII characters`;
    throw badInput(message, 'WARREN_OIDC_ROLES');
  }
  const where = roles.error.issues[0]?.path.join('.') ?? '';
  const message = `WARREN_OIDC_ROLES: ${where}: expected READ, WRITE, ADMIN or such roles by project, as in ${example}`;
  throw badInput(message, 'WARREN_OIDC_ROLES');
}

function originOf(publicUrl: string | null): string {
  if (publicUrl === null) {
    const message = 'WARREN_PUBLIC_URL: WARREN_OIDC_ISSUER needs the address to which people come back';
    throw badInput(message, 'WARREN_PUBLIC_URL');
  }
  refuseInsecure(publicUrl, 'WARREN_PUBLIC_URL');
  const { pathname, search, hash, origin } = new URL(publicUrl);
  if (pathname !== '/' || search !== '' || hash !== '') {
    const message = `WARREN_PUBLIC_URL: with WARREN_OIDC_ISSUER expected an address without a path, such as ${origin}`;
    throw badInput(message, 'WARREN_PUBLIC_URL');
  }
  return origin;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether an address is one of this machine. */
export function isLoopbackUrl(address: string): boolean {
  return LOOPBACK.test(new URL(address).hostname);
}

function refuseInsecure(address: string, name: string): void {
  if (URL.canParse(address) && (new URL(address).protocol === 'https:' || isLoopbackUrl(address))) return;
  throw badInput(
    `${name}: expected an address with https (http on this machine alone), got ${JSON.stringify(address)}`,
    name,
  );
}
