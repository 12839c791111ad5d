import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { caddy } from '#contract';
import { caddyHelpers } from '../../../../test/support/caddy.ts';
import {
  createTokenIssuer,
  nonceFor,
  ourClients,
} from '../../../../test/support/id-token-issuer.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import type { IdTokenProvider } from '../../../gateways/id-tokens.ts';

const google = await createTokenIssuer('google');
const apple = await createTokenIssuer('apple');
afterAll(() => Promise.all([google.server.stop(), apple.server.stop()]));
const providers = new Map<string, IdTokenProvider>([
  ['google', google.provider()],
  ['apple', apple.provider()],
]);
const app = await createTestApp({
  ports: { idTokens: providers },
  env: { SIGN_INS_PER_MINUTE: '1000000' },
});
const { stranger, codeFor, signUp } = caddyHelpers(app);

let people = 0;
/** Someone whom Google knows, with a verified address. */
const someone = (more: object = {}) => {
  const sub = `subject-${++people}`;
  return { sub, email: `${sub}@gmail.test`, email_verified: true, ...more };
};
const token = async (claims: object, from: 'google' | 'apple' = 'google', nonce?: string) =>
  (from === 'google' ? google : apple).token({
    nonce: nonce ?? (await nonceFor(app, from)),
    ...claims,
  });
const register = (id_token: string, provider: 'google' | 'apple' = 'google') =>
  stranger.request(caddy.caddyRegister, { body: { provider, id_token } });
const login = (id_token: string, code?: string, provider: 'google' | 'apple' = 'google') =>
  stranger.request(caddy.caddyLogin, { body: { provider, id_token, ...(code && { code }) } });
const accounts = async () =>
  Number((await app.services.db.pool.query('select count(*) from caddy_account')).rows[0].count);

describe('signing up and in with Google', () => {
  test('opens an account of its verified address, and opens it again', async () => {
    const ann = someone({ email: 'Ann@Gmail.test', given_name: 'Ann', family_name: 'Fox' });
    const opened = await register(await token(ann));
    expect(opened.status).toBe(201);
    expect(opened.body.data).toMatchObject({
      plan: 'free',
      profile: { email: 'ann@gmail.test', emailVerified: true, firstName: 'Ann', lastName: 'Fox' },
    });
    const again = await login(await token(ann));
    expect([again.status, again.body.data]).toMatchObject([
      200,
      { accountId: 'accountId' in opened.body.data && opened.body.data.accountId },
    ]);
    const twice = await register(await token(ann));
    expect([twice.status, twice.body]).toMatchObject([409, { code: 'caddy.exists' }]);
    // Its address opens the same account by a code.
    const who = { provider: 'email', email: 'ann@gmail.test' } as const;
    await stranger.request(caddy.caddyLogin, { body: who });
    const code = (await codeFor(who.email))!;
    const byCode = await stranger.request(caddy.caddyLogin, { body: { ...who, code } });
    expect(byCode.body.data).toMatchObject({
      accountId: 'accountId' in opened.body.data && opened.body.data.accountId,
    });
  });

  test('answers 401 to whom no account is, who can then sign up with the same token', async () => {
    const token_ = await token(someone());
    const unknown = await login(token_);
    expect([unknown.status, unknown.body]).toMatchObject([401, { code: 'caddy.unknown' }]);
    expect((await register(token_)).status).toBe(201);
  });

  test('takes the tokens of our other apps there', async () => {
    expect((await register(await token(someone({ aud: ourClients[1] })))).status).toBe(201);
    const both = someone({ aud: ['elsewhere', ourClients[0]] });
    expect((await register(await token(both))).status).toBe(201);
  });

  test('opens one session of a token, also of two at once', async () => {
    const one = await token(someone());
    expect((await register(one)).status).toBe(201);
    const replayed = await login(one);
    expect([replayed.status, replayed.body]).toMatchObject([422, { code: 'caddy.token_refused' }]);
    const ann = someone();
    await register(await token(ann));
    const two = await token(ann);
    const answers = await Promise.all([login(two), login(two), login(two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });
});

describe('an address that has an account', () => {
  test('is connected with the code that is sent there, and not before', async () => {
    const mine = await signUp({ email: 'omar@gmail.test' });
    const omar = someone({ email: 'OMAR@gmail.test' });
    const token_ = await token(omar);
    const refused = await register(token_);
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'caddy.exists' }]);
    const asked = await login(token_);
    expect([asked.status, asked.body.data]).toMatchObject([
      202,
      { channel: 'email', masked: 'o•••@gmail.test' },
    ]);
    const code = (await codeFor('omar@gmail.test'))!;
    const wrong = await login(token_, code === '111111' ? '222222' : '111111');
    expect([wrong.status, wrong.body]).toMatchObject([422, { code: 'caddy.code_wrong' }]);
    const opened = await login(token_, code);
    expect([opened.status, opened.body.data]).toMatchObject([200, { accountId: mine.companyId }]);
    await app.drainJobs();
    expect((await app.mails('omar@gmail.test')).at(-1)?.subject).toBe(
      'Google is connected to your account',
    );
    expect((await login(await token(omar))).status).toBe(200);
  });

  test('counts only where the provider has verified it', async () => {
    await signUp({ email: 'pia@gmail.test' });
    for (const email_verified of [false, 'false', undefined, 1, null]) {
      const pia = someone({ email: 'pia@gmail.test', email_verified });
      const in_ = await login(await token(pia));
      expect([in_.status, in_.body]).toMatchObject([401, { code: 'caddy.unknown' }]);
      const up = await register(await token(pia));
      expect([up.status, up.body]).toMatchObject([422, { code: 'caddy.unverified' }]);
    }
  });

  test('stays the only way for codes: it can’t be removed without another', async () => {
    const { body } = await register(await token(someone()));
    const data = body.data;
    if (!('token' in data)) throw new Error('no session');
    const person = { id: 0, email: '', companyId: data.accountId, role: 'owner' as const };
    const removed = await app
      .as({ ...person, token: data.token })
      .request(caddy.updateCaddyProfile, { body: { email: null } });
    expect([removed.status, removed.body]).toMatchObject([422, { code: 'caddy.last_way' }]);
  });
});

test('Apple’s private address and its flags as text are taken', async () => {
  const ivo = someone({
    email: 'f7x2kq@privaterelay.appleid.test',
    email_verified: 'true',
    is_private_email: 'true',
  });
  const opened = await register(await token(ivo, 'apple'), 'apple');
  expect([opened.status, opened.body.data]).toMatchObject([
    201,
    { profile: { email: 'f7x2kq@privaterelay.appleid.test', emailVerified: true } },
  ]);
  expect((await login(await token(ivo, 'apple'), undefined, 'apple')).status).toBe(200);
  // Google’s person of the same name there is someone else.
  expect((await login(await token({ ...ivo, email: undefined }))).status).toBe(401);
});

describe('a token is refused', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = async (more: object = {}) => ({
    iss: google.issuer,
    aud: ourClients[0],
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 600,
    nonce: await nonceFor(app, 'google'),
    ...someone(),
    ...more,
  });
  const cases: Record<string, () => Promise<string>> = {
    'without a signature': async () => `${part({ alg: 'none' })}.${part(await claims())}.`,
    'signed with the public key as a secret': async () => {
      const jwks = await (await fetch(`${google.issuer}/jwks`)).text();
      const body = `${part({ alg: 'HS256', kid: 'first' })}.${part(await claims())}`;
      return `${body}.${createHmac('sha256', jwks).update(body).digest('base64url')}`;
    },
    'changed after it was signed': async () => {
      const [head, , signature] = (await token(someone())).split('.');
      return `${head}.${part(await claims())}.${signature}`;
    },
    'for someone else’s app': () => token(someone({ aud: 'elsewhere' })),
    'for no one': () => token(someone({ aud: undefined })),
    'by another issuer': () => token(someone({ iss: 'https://accounts.google.test' })),
    'with another’s key of the same name': async () =>
      apple.token({ ...someone(), iss: google.issuer, nonce: await nonceFor(app, 'google') }),
    'with a key that no one knows': async () =>
      `${part({ alg: 'RS256', kid: 'none' })}.${part(await claims())}.AAAA`,
    'that is over': async () => google.token(await claims({ exp: 1_700_000_000 })),
    'that never ends': () => token(someone({ exp: undefined })),
    'without a nonce': () => token(someone({ nonce: undefined })),
    'with a nonce of its own': () => token(someone({ nonce: 'mh8.tln_x.y' })),
    'with a list for a nonce': () => token(someone({ nonce: ['x'] })),
    'with a nonce for Apple': async () => token(someone(), 'google', await nonceFor(app, 'apple')),
    'without a subject': () => token(someone({ sub: undefined })),
    'with an empty subject': () => token(someone({ sub: '' })),
    'that isn’t one': () => Promise.resolve('not.a.token'),
  };
  test.each(Object.entries(cases))('%s', async (_, make) => {
    const before = await accounts();
    for (const send of [register, login]) {
      const { status, body } = await send(await make());
      expect([status, body]).toMatchObject([422, { code: 'caddy.token_refused' }]);
    }
    expect(await accounts()).toBe(before);
  });

  test('that is missing, with what to send', async () => {
    const { status, body } = await stranger.request(caddy.caddyLogin, {
      body: { provider: 'google' },
    });
    expect([status, body]).toMatchObject([
      422,
      { errors: { id_token: ['Send the ID token of Google.'] } },
    ]);
  });

  test('when its sign-in began too long ago', async () => {
    const late = await token(someone());
    app.clock.advance(1201);
    expect((await register(late)).body).toMatchObject({ code: 'caddy.token_refused' });
  });
});

describe('the keys of a provider', () => {
  const verified = async (provider: IdTokenProvider, kid: string) =>
    (await provider.verify(await google.token({ ...someone(), nonce: 'n' }, { kid }))).state;

  test('are read once, and again when a token names a new one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const provider = google.provider();
      expect(await verified(provider, 'first')).toBe('known');
      await google.server.issuer.keys.generate('RS256', { kid: 'second' });
      vi.setSystemTime(Date.now() + 31_000);
      expect(await verified(provider, 'second')).toBe('known');
      expect(await verified(provider, 'first')).toBe('known');
    } finally {
      vi.useRealTimers();
    }
  });

  test('that can’t be read refuse no one for good: the answer says what to do', async () => {
    const [before, token_] = [providers.get('google')!, await token(someone())];
    for (const keys of ['http://127.0.0.1:1/jwks', `${google.issuer}/nothing`]) {
      providers.set('google', google.provider({ keys }));
      const { status, body } = await register(token_);
      expect([status, body]).toMatchObject([
        409,
        { code: 'caddy.provider_away', message: expect.stringMatching(/^Google can’t be reached/) },
      ]);
    }
    providers.set('google', before);
    expect((await register(token_)).status).toBe(201);
  });
});

describe('a sign-in', () => {
  test('begins at the provider’s page, for a browser of ours', async () => {
    const listed = await stranger.request(caddy.listCaddyProviders);
    expect(listed.body.data).toEqual([
      { provider: 'google', label: 'Google' },
      { provider: 'apple', label: 'Apple' },
    ]);
    const { body } = await stranger.request(caddy.startCaddyProvider, {
      params: { provider: 'apple' },
    });
    const url = new URL(body.data.url);
    expect(url.origin + url.pathname).toBe('https://appleid.apple.com/auth/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code id_token',
      response_mode: 'form_post',
      scope: 'name email',
      client_id: ourClients[0],
      redirect_uri: `${app.services.settings.publicUrl}/api/caddy/auth/apple/callback`,
      state: body.data.state,
      nonce: body.data.nonce,
    });
  });

  test('is off where no provider is set up', async () => {
    const off = new Map(providers);
    providers.clear();
    expect((await stranger.request(caddy.listCaddyProviders)).body.data).toEqual([]);
    const params = { provider: 'google' } as const;
    for (const { status, body } of [
      await stranger.request(caddy.startCaddyProvider, { params }),
      await register('x.y.z'),
      await login('x.y.z'),
    ])
      expect([status, body]).toMatchObject([409, { code: 'caddy.provider_off' }]);
    for (const [name, provider] of off) providers.set(name, provider);
  });

  test('comes back by a form of the provider’s, whose token goes behind the #', async () => {
    const { publicUrl } = app.services.settings;
    const post = (payload: string, type = 'application/x-www-form-urlencoded') =>
      app.as(null).inject({
        method: 'POST',
        url: '/api/caddy/auth/google/callback',
        payload,
        headers: {
          'content-type': type,
          origin: 'https://accounts.google.com',
          'sec-fetch-site': 'cross-site',
        },
      });
    const answer = await post('id_token=a.b.c&state=tls_1&next=https://evil.test');
    expect([answer.status, answer.headers['location']]).toEqual([
      303,
      `${publicUrl}/caddy/sign-in/return#provider=google&state=tls_1&id_token=a.b.c`,
    ]);
    const canceled = await post('state=tls_1&error=access_denied');
    expect(canceled.headers['location']).toBe(
      `${publicUrl}/caddy/sign-in/return#provider=google&state=tls_1&error=access_denied`,
    );
    expect((await post('')).headers['location']).toMatch(/#provider=google&error=nothing$/);
    expect((await post(`id_token=${'a'.repeat(40_000)}`)).status).toBe(422);
    expect((await post('{}', 'application/json')).status).toBe(422);
  });
});
