/** Simulated accounts at Google and Apple, and their ID tokens. */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { demoCustomer, identityProviders, type IdentityProviderName } from '#contract/caddy/rules';
import type { IdTokenProvider } from '../../gateways/id-tokens.ts';
import type { Services } from '../../platform/context.ts';
import { sign } from '../../platform/secrets.ts';
import { idTokenProvider } from '../openid/id-tokens.ts';

type Server = Pick<Services, 'settings' | 'now'>;

/** As people read them. */
export const labels: Readonly<Record<IdentityProviderName, string>> = {
  google: 'Google',
  apple: 'Apple',
};
/** Ours at them. */
export const clientId = 'sandbox';
/** Where a simulated provider asks, on this server. */
export const pagePath = (provider: string): string => `/sandbox/accounts/${provider}`;

interface Account {
  /** As the button says it. */
  name: string;
  sub: string;
  email: string;
  given_name?: string;
  family_name?: string;
}

/** Who can be signed in there; the last one is someone else each time. */
export const accountsOf = (provider: IdentityProviderName): Account[] => {
  const id = randomUUID().slice(0, 8);
  const casey = {
    ...{ name: `Casey Customer (${demoCustomer})`, sub: 'sandbox-casey', email: demoCustomer },
    ...{ given_name: 'Casey', family_name: 'Customer' },
  };
  if (provider === 'google')
    return [
      {
        ...{ name: 'Alex Morgan (alex.morgan@gmail.example)', sub: 'sandbox-alex' },
        ...{ email: 'alex.morgan@gmail.example', given_name: 'Alex', family_name: 'Morgan' },
      },
      casey,
      { name: 'Someone new', sub: `sandbox-${id}`, email: `new-${id}@gmail.example` },
    ];
  // Apple says a name outside the token, and once only.
  const hidden = (name: string, key: string): Account => ({
    ...{ name, sub: `sandbox-${key}`, email: `${key}@privaterelay.appleid.example` },
  });
  return [
    hidden('Alex Morgan, email hidden', 'alex'),
    { name: casey.name, sub: casey.sub, email: casey.email },
    hidden('Someone new, email hidden', id),
  ];
};

const issuerOf = ({ settings }: Server, provider: string): string =>
  `${settings.publicUrl}${pagePath(provider)}`;
/** The tokens are read by the server that makes them, so one secret does. */
const keyOf = ({ settings }: Server): Uint8Array =>
  Buffer.from(sign(settings.appSecret, 'simulated ID tokens'));

/** The ID token of a simulated account, for an hour as Google's. */
export const tokenFor = (
  server: Server,
  provider: string,
  { name: _, ...claims }: Account,
  nonce: string,
): Promise<string> =>
  new SignJWT({ ...claims, email_verified: true, nonce })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuerOf(server, provider))
    .setAudience(clientId)
    .setIssuedAt(server.now())
    .setExpirationTime(new Date(server.now().getTime() + 3_600_000))
    .sign(keyOf(server));

/** Both providers, simulated. */
export const sandboxIdTokenProviders = (server: Server): IdTokenProvider[] =>
  identityProviders.map((name) =>
    idTokenProvider({
      ...{ name, label: labels[name], algorithm: 'HS256', clientIds: [clientId] },
      // Each time: the address of this server is known only once it listens.
      get issuers() {
        return [issuerOf(server, name)];
      },
      get authorizationEndpoint() {
        return issuerOf(server, name);
      },
      keys: () => keyOf(server),
      parameters: {},
      now: server.now,
    }),
  );
