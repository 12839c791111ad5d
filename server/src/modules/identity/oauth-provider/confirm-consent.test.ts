import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { mfa, oauthProvider } from '#contract';
import { createTestApp } from '../../../../test/support/test-app.ts';

const app = await createTestApp({ clock: 'real' });
const REDIRECT = 'https://program.test/callback';

test('allowing a program everything is confirmed first; reading is not', async () => {
  const { company, owner } = await app.createCompany();
  const client = await app.as(owner).request(oauthProvider.createOAuthClient, {
    params: { companyId: company.id },
    body: { name: 'Sync', redirect_uris: [REDIRECT], confidential: true },
  });
  const decide = async (scope: string) => {
    const challenge = createHash('sha256').update(randomBytes(32).toString('hex'));
    const query = new URLSearchParams({
      client_id: client.body.data.client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope,
      code_challenge: challenge.digest('base64url'),
      code_challenge_method: 'S256',
    });
    const start = await app.server.inject({ url: `/api/oauth/auth?${query}` });
    const cookie = start.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const answer = await app.as(owner).inject({
      method: 'POST',
      url: '/api/oauth/consent',
      headers: { cookie },
      payload: { allow: true, for_company_id: company.id },
    });
    return { send: answer, code: answer.body.code as string | undefined };
  };
  await app.unconfirm(owner);
  expect((await decide('read')).send.status).toBe(200);
  expect((await decide('read admin')).code).toBe('confirmation.required');
  await app.as(owner).request(mfa.confirmIdentity, { body: { password: 'trunkline-demo' } });
  expect((await decide('read admin')).send.status).toBe(200);
});
