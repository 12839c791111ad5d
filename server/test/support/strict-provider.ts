import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';

/** Whom a strict provider signs in. */
interface StrictPerson {
  sub: string;
  email: string;
  email_verified: boolean;
  given_name?: string;
  family_name?: string;
  groups?: readonly string[];
}

/**
 * A certified OpenID provider on this machine, which refuses what the standard does: another redirect
 * address, a wrong secret or verifier, a code twice. Whoever comes is signed in as the person it was
 * told last.
 */
export async function createStrictProvider(redirectUris: string[]) {
  let person: StrictPerson = { sub: 'none', email: '', email_verified: false };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const configuration: Configuration = {
    clients: [
      {
        client_id: 'harborline',
        client_secret: 'a-secret-of-the-directory',
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'groups'],
    },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ ...person, groups: [...(person.groups ?? [])], sub }),
    }),
    cookies: { keys: ['cookies of a test'] },
  };
  const provider = new Provider(issuer, configuration);
  const refusals: string[] = [];
  provider.on('grant.error', (_ctx, error) => refusals.push(String(error.message)));
  provider.on('authorization.error', (_ctx, error) => refusals.push(String(error.message)));
  const serve = provider.callback();
  server.on('request', (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return void serve(req, res);
    void provider.interactionDetails(req, res).then(async ({ params }) => {
      const grant = new provider.Grant({
        accountId: person.sub,
        clientId: String(params['client_id']),
      });
      grant.addOIDCScope(String(params['scope']));
      await provider.interactionFinished(req, res, {
        login: { accountId: person.sub },
        consent: { grantId: await grant.save() },
      });
    });
  });
  return {
    issuer,
    clientId: 'harborline',
    clientSecret: 'a-secret-of-the-directory',
    refusals,
    signsIn: (who: StrictPerson) => {
      person = who;
    },
    /** From the address that our product sent a browser to, to the one that it comes back with. */
    async atProvider(page: string, backTo: string): Promise<string> {
      const cookies = new Map<string, string>();
      let url = page;
      for (let hop = 0; hop < 10 && !url.startsWith(backTo); hop += 1) {
        const answer = await fetch(url, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        });
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const next = answer.headers.get('location');
        if (!next) throw new Error(`${answer.status} at ${url}: ${await answer.text()}`);
        url = new URL(next, url).href;
      }
      return url;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
