import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openVisit, productUrl, signInAsDemoRole, api, harborDental } from './browser.ts';

test('a program connects a person who starts signed out, and an expired request says so', async () => {
  const redirect = await startProgram();
  const owner = await openVisit('/login');
  await signInAsDemoRole(owner.page, 'Owner');
  const company = await harborDental(owner.page);
  const client = await api(owner.page, 'POST', `/companies/${company}/oauth-clients`, {
    name: 'Reports',
    redirect_uris: [redirect],
    confidential: false,
  });
  const clientId = String(client.body.data.client_id);
  const verifier = 'v'.repeat(64);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const ask = new URLSearchParams({
    ...{ client_id: clientId, response_type: 'code', redirect_uri: redirect },
    ...{ scope: 'openid email profile read', code_challenge_method: 'S256' },
    code_challenge: Buffer.from(hash).toString('base64url'),
  });

  const { page } = await openVisit(`/api/oauth/auth?${ask}`);
  await page.waitForURL('**/login?next=**');
  await page
    .getByRole('button', { name: /^.{0,3}User/ })
    .first()
    .click();
  await page.getByText('See your name and email address').waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('The program is connected.').waitFor();
  const code = new URL(page.url()).searchParams.get('code')!;
  const exchanged = await fetch(`${productUrl()}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: clientId, code },
      ...{ redirect_uri: redirect, code_verifier: verifier },
    }),
  });
  const { access_token: token } = (await exchanged.json()) as { access_token: string };
  const who = await fetch(`${productUrl()}/api/oauth/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await who.json()).toMatchObject({ email: 'user@demo.test' });

  await page.goto(`${productUrl()}/oauth/consent`);
  await page.getByText('This request has expired.').waitFor();
});

/** A program on this computer that waits for the person to come back; gives that address. */
async function startProgram(): Promise<string> {
  const program = createServer((_request, answer) => answer.end('The program is connected.'));
  await new Promise<void>((done) => program.listen(0, '127.0.0.1', done));
  onTestFinished(() => void program.close());
  return `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
}
