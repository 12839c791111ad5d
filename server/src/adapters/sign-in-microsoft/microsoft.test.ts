import { afterAll, describe, expect, test } from 'vitest';
import { createIdentityProvider } from '../../../test/support/identity-provider.ts';
import { googleIdentities } from '../sign-in-google/google.ts';
import { microsoftIdentities } from './microsoft.ts';

const stand = await createIdentityProvider('stand-in');
afterAll(() => stand.server.stop());

const app = { clientId: 'client', clientSecret: 'secret' };
const redirectUri = 'https://phones.test/api/oauth/microsoft/callback';
const question = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43), redirectUri };
const personal = '9188040d-6c67-4c5b-b112-36a304b66dad';
const [harbor, evil] = [
  '11111111-2222-4333-8444-555555555555',
  '66666666-7777-4888-9999-000000000000',
];
const microsoft = 'https://login.microsoftonline.com';

/** The vendor's published metadata, played by the stand-in: as it names itself, not as it is reached. */
const playing =
  (issuerOf: (url: URL) => string) =>
  async (address: string, init: RequestInit): Promise<Response> => {
    const url = new URL(address);
    if (url.pathname.endsWith('/.well-known/openid-configuration'))
      return Response.json({
        issuer: issuerOf(url),
        authorization_endpoint: `${url.origin}/authorize`,
        token_endpoint: `${url.origin}/token`,
        jwks_uri: `${url.origin}/jwks`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    return fetch(`${stand.issuer}${url.pathname}`, init);
  };
/** As Microsoft writes it: a placeholder for the tenant unless the address names a directory. */
const ofMicrosoft = playing((url) => {
  const [, tenant = ''] = url.pathname.split('/');
  if (tenant === 'consumers') return `${microsoft}/${personal}/v2.0`;
  return `${microsoft}/${/^\d/.test(tenant) ? tenant : '{tenantid}'}/v2.0`;
});

async function identify(provider: ReturnType<typeof microsoftIdentities>, said: object) {
  stand.says({ ...said });
  const page = new URL((await provider.authorizationUrl(question))!);
  expect(page.searchParams.get('prompt')).toBe('select_account');
  const back = await fetch(`${stand.issuer}${page.pathname}${page.search}`, { redirect: 'manual' });
  const callback = new URL(back.headers.get('location')!).searchParams;
  return provider.identify({ ...question, callback });
}
const said = (tid: string, more: object = {}) => ({
  iss: `${microsoft}/${tid}/v2.0`,
  tid,
  sub: 'subject',
  email: 'ann@harbor.test',
  ...more,
});
const at = (tenant: string) => microsoftIdentities({ ...app, tenant }, ofMicrosoft as never);

describe('Microsoft', () => {
  test('each directory is an issuer of its own', async () => {
    for (const tid of [harbor, evil])
      expect(await identify(at('common'), said(tid, { xms_edov: true }))).toMatchObject({
        state: 'known',
        identity: { issuer: `${microsoft}/${tid}/v2.0`, subject: 'subject' },
      });
  });

  test('a token whose issuer is not its own directory’s is refused', async () => {
    for (const wrong of [
      { iss: `${microsoft}/${harbor}/v2.0` },
      { iss: `${microsoft}/{tenantid}/v2.0` },
      { tid: undefined, iss: `${microsoft}/undefined/v2.0` },
      { tid: `${harbor}/../x` },
    ])
      expect(await identify(at('common'), said(evil, wrong))).toMatchObject({ state: 'refused' });
  });

  test('only those of the chosen tenant may come', async () => {
    const comes = async (tenant: string, tid: string) =>
      (await identify(at(tenant), said(tid))).state;
    expect(await comes('organizations', harbor)).toBe('known');
    expect(await comes('organizations', personal)).toBe('refused');
    expect(await comes('consumers', personal)).toBe('known');
    expect(await comes('consumers', harbor)).toBe('refused');
    expect(await comes(harbor, harbor)).toBe('known');
    expect(await comes(harbor, evil)).toBe('refused');
  });

  test('an address that any directory can write proves nothing', async () => {
    const verified = async (tenant: string, claims: object) => {
      const answer = await identify(at(tenant), claims);
      return answer.state === 'known' ? answer.identity.verifiedEmail : answer.state;
    };
    // A directory's administrator writes the address of someone else (“nOAuth”).
    expect(await verified('common', said(evil, { email_verified: true }))).toBeNull();
    expect(await verified('common', said(evil, { xms_edov: false }))).toBeNull();
    expect(await verified('common', said(evil, { xms_edov: '0' }))).toBeNull();
    for (const owns of [true, 1, '1', 'true'])
      expect(await verified('common', said(harbor, { xms_edov: owns }))).toBe('ann@harbor.test');
    expect(await verified('common', said(personal))).toBe('ann@harbor.test');
    expect(await verified(harbor, said(harbor))).toBe('ann@harbor.test');
  });
});

describe('Google', () => {
  const google = googleIdentities(app, playing(({ origin }) => origin) as never);
  const claims = { iss: 'https://accounts.google.com', sub: '110', email: 'Ann@Harbor.test' };

  test('is believed about addresses that it has verified', async () => {
    const names = { given_name: 'Ann', family_name: 'Fox' };
    expect(await identify(google, { ...claims, ...names, email_verified: true })).toEqual({
      state: 'known',
      identity: {
        issuer: claims.iss,
        subject: '110',
        verifiedEmail: 'ann@harbor.test',
        firstName: 'Ann',
        lastName: 'Fox',
      },
    });
    expect(await identify(google, { ...claims, email_verified: false })).toMatchObject({
      identity: { verifiedEmail: null },
    });
  });

  test('another issuer’s token is refused, also Google’s without https', async () => {
    for (const iss of ['https://evil.test', 'http://accounts.google.com', stand.issuer])
      expect(await identify(google, { ...claims, iss })).toMatchObject({ state: 'refused' });
  });
});
