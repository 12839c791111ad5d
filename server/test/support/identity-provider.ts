import { OAuth2Server } from 'oauth2-mock-server';
import type { OpenIdVendor } from '../../src/adapters/openid/openid-provider.ts';
import { openIdProvider } from '../../src/adapters/openid/openid-provider.ts';
import type { TestApp, TestResponse } from './test-app.ts';

type Claims = Record<string, unknown>;

/** A provider that says of people what a test tells it to. */
export async function createIdentityProvider(name: string, more: Partial<OpenIdVendor> = {}) {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const issuer = server.issuer.url!; // started
  let claims: Claims = {};
  let exchanges = 0;
  server.service.on('beforeTokenSigning', (token: { payload: Claims }) => {
    Object.assign(token.payload, { aud: 'client' }, claims);
  });
  server.service.on('beforeResponse', () => {
    exchanges += 1;
  });
  return {
    server,
    issuer,
    provider: openIdProvider({
      name,
      label: name === 'openid' ? 'Single sign-on' : name,
      issuer,
      clientId: 'client',
      clientSecret: 'secret',
      ...more,
    }),
    /** From now on it says this of whoever signs in. */
    says: (said: Claims) => {
      claims = said;
    },
    /** Codes that were exchanged so far. */
    exchanges: () => exchanges,
  };
}

let browsers = 0;
/** A browser with its cookies, which follows our redirects to a provider and back. */
export function createBrowser(app: TestApp) {
  const cookies = new Map<string, string>();
  browsers += 1;
  const remoteAddress = `198.51.${Math.floor(browsers / 200)}.${(browsers % 200) + 1}`;
  const { host } = new URL(app.services.settings.publicUrl);
  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { token, body }: { token?: string; body?: object } = {},
  ): Promise<Awaited<ReturnType<ReturnType<TestApp['as']>['inject']>>> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await app.as(null).inject({
      method,
      url: `/api${path}`,
      remoteAddress,
      headers: { host, cookie, ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { payload: body }),
    });
    for (const set of [answer.headers['set-cookie'] ?? []].flat().map(String)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    return answer;
  };
  /** The address in our own app that a redirect leads to. */
  const pathOf = (answer: TestResponse<unknown>) => {
    const to = new URL(String(answer.headers['location']), app.services.settings.publicUrl);
    return { path: to.pathname, ...Object.fromEntries(to.searchParams) } as Record<string, string>;
  };
  /** What the provider's page sends the browser back with, as a path of ours. */
  const atProvider = async (page: string): Promise<string> => {
    const back = await fetch(page, { redirect: 'manual' });
    const { pathname, search } = new URL(back.headers.get('location')!);
    return `${pathname.replace(/^\/api/, '')}${search}`;
  };
  return {
    cookies,
    send,
    pathOf,
    atProvider,
    /** To the provider and back; the callback's path, not opened yet. */
    async visit(provider: string, next?: string): Promise<string> {
      const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
      const begun = await send('GET', `/oauth/${provider}/redirect${query}`);
      return atProvider(String(begun.headers['location']));
    },
    /** To the provider and back to the app. */
    async comeThrough(provider: string, next?: string): Promise<Record<string, string>> {
      return pathOf(await send('GET', await this.visit(provider, next)));
    },
  };
}
