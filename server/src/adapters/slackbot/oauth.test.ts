import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { connections, oauthIntegrations } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';

/** Slack's sign-in, in its words: 200 to everything, "bot" tokens, scopes by commas. */
const asked: { path: string; form: URLSearchParams; token: string }[] = [];
let refuses: string | null = null;
const vendor = createServer((request, reply) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const path = new URL(request.url ?? '', 'http://slack').pathname;
    const token = request.headers.authorization ?? '';
    asked.push({ path, form: new URLSearchParams(String(Buffer.concat(parts))), token });
    const answers: Record<string, object> = {
      '/api/oauth.v2.access': {
        ok: true,
        access_token: 'xoxe.xoxb-1',
        token_type: 'bot',
        scope: 'chat:write,channels:read',
        refresh_token: 'xoxe-1',
        expires_in: 43_200,
        team: { id: 'T0HARBOR', name: 'Harbor Dental' },
      },
      '/api/auth.test': { ok: true, team: 'Harbor Dental', team_id: 'T0HARBOR' },
      '/api/auth.revoke': { ok: true, revoked: true },
    };
    const body = refuses ? { ok: false, error: refuses } : answers[path];
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});
await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
afterAll(() => void vendor.close());
const vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
const app = await createTestApp({
  env: {
    PUBLIC_URL: 'https://phones.test',
    SLACK_CLIENT_ID: 'client',
    SLACK_CLIENT_SECRET: 'secret',
    SLACK_API_URL: vendorUrl,
  },
});

test('a workspace is connected in Slack’s words, and left again', async () => {
  const { owner } = await app.createCompany();
  const params = { companyId: owner.companyId };
  const begin = async () => {
    const { body } = await app.as(owner).request(connections.redirectToOAuthProvider, {
      params: { ...params, provider: 'slackbot' },
    });
    return body.data;
  };
  const comeBack = async (state: string) => {
    const url = `/api/oauth-integrations/slackbot/callback?code=c0de&state=${state}`;
    const { headers } = await app.as(owner).inject({ method: 'GET', url });
    return String(headers['location']);
  };
  const { url, state } = await begin();
  expect(new URL(url).searchParams.get('scope')).toBe(
    'chat:write,chat:write.public,channels:read,groups:read',
  );
  expect(await comeBack(state)).toContain('outcome=connected');
  expect(Object.fromEntries(asked[0]?.form ?? [])).toMatchObject({
    code: 'c0de',
    client_id: 'client',
    client_secret: 'secret',
  });
  const { body } = await app.as(owner).request(oauthIntegrations.listOAuthIntegrations, { params });
  expect(body.data).toMatchObject([
    {
      provider: 'slackbot',
      account: { external_id: 'T0HARBOR', name: 'Harbor Dental', email: null },
      scopes: ['chat:write', 'channels:read'],
    },
  ]);
  const removed = await app.as(owner).request(oauthIntegrations.removeOAuthIntegration, {
    params: { ...params, id: body.data[0]?.id ?? 0 },
  });
  expect(removed.body.data.revoked).toBe(true);
  expect(asked.at(-1)).toMatchObject({ path: '/api/auth.revoke' });
  refuses = 'invalid_code';
  expect(await comeBack((await begin()).state)).toContain('outcome=failed&reason=refused');
});
