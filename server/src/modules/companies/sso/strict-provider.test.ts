import { afterAll, expect, test } from 'vitest';
import { companies, sso } from '#contract';
import { createBrowser } from '../../../../test/support/identity-provider.ts';
import { createSsoOrganization } from '../../../../test/support/sso-organization.ts';
import { createStrictProvider } from '../../../../test/support/strict-provider.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { ownProviders } from '../../../adapters/sign-in-organizations/own-providers.ts';

const app = await createTestApp({
  ports: { ownProviders: ownProviders({ isPrivateAllowed: true }) },
});
const { publicUrl } = app.services.settings;
/** The product names the organization in the address it comes back to. */
const backOf = (id: number) => `${publicUrl}/api/oauth/sso/${id}/callback`;
const made = await createSsoOrganization(app, { issuer: 'https://id.test' });
const strict = await createStrictProvider([backOf(made.id)]);
afterAll(() => strict.stop());

test('a certified provider that insists on the standard lets people in, with name, role and groups', async () => {
  const checked = await made.as.request(sso.saveSso, {
    params: made.params,
    body: {
      issuer: strict.issuer,
      client_id: strict.clientId,
      client_secret: strict.clientSecret,
    },
  });
  expect(checked.status, JSON.stringify(checked.body)).toBe(200);
  const tested = await made.as.request(sso.testSso, {
    params: made.params,
    body: { issuer: strict.issuer },
  });
  expect(tested.body.data, JSON.stringify(tested.body)).toEqual({ problem: null });
  await made.as.request(sso.saveSsoAccess, {
    params: made.params,
    body: {
      rules: [
        { group: null, company_id: made.company.id, role: 'user' },
        { group: 'Leads', company_id: made.company.id, role: 'administrator' },
      ],
    },
  });
  const email = `ann@${made.domain}`;
  strict.signsIn({
    ...{ sub: 'u-17', email, email_verified: true },
    ...{ given_name: 'Ann', family_name: 'Fox', groups: ['Leads'] },
  });
  const browser = createBrowser(app);
  const begun = await browser.send('GET', `/oauth/${made.way}/redirect`);
  const back = await strict.atProvider(String(begun.headers['location']), publicUrl);
  expect(strict.refusals).toEqual([]);
  const path = back.slice(`${publicUrl}/api`.length);
  const page = browser.pathOf(await browser.send('GET', path));
  expect(page['error']).toBeUndefined();
  const signedIn = await browser.send('POST', '/sanctum/sso', { body: { remember: false } });
  expect(signedIn.status, JSON.stringify(signedIn.body)).toBe(200);
  const token = String(signedIn.body.token.access_token);
  const me = await app
    .as({ ...made.owner, token })
    .request(companies.getUser, { query: { companyId: made.company.id } });
  expect(me.body.data).toMatchObject({
    ...{ email, first_name: 'Ann', last_name: 'Fox' },
  });
  const { rows } = await app.services.db.pool.query(
    `select role from membership where company_id = $1 and user_id = $2`,
    [made.company.id, me.body.data.id],
  );
  expect(rows).toEqual([{ role: 'administrator' }]);

  // The same answer a second time, in another browser, opens nothing.
  const thief = createBrowser(app);
  await thief.send('GET', path);
  const stolen = await thief.send('POST', '/sanctum/sso', { body: { remember: false } });
  expect(stolen.status).not.toBe(200);
});

test('a wrong secret is the provider’s refusal, which leads back with words and signs no one in', async () => {
  await app.services.db.pool.query(
    'update sso_connection set client_id = $2 where organization_id = $1',
    [made.id, 'another'],
  );
  const browser = createBrowser(app);
  const begun = await browser.send('GET', `/oauth/${made.way}/redirect`);
  await expect(strict.atProvider(String(begun.headers['location']), publicUrl)).rejects.toThrow(
    'client is invalid',
  );
});
