import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { violations } from './axe.ts';
import { openVisit, signInAsDemoOwner, waitForNotice } from './browser.ts';
import { withProduct } from './product.ts';

/** HubSpot's addresses, played by an OAuth server that consents to everything. */
async function startHubSpot(): Promise<string> {
  const issuer = new OAuth2Issuer();
  await issuer.keys.generate('RS256');
  const oauth = new OAuth2Service(issuer, {
    authorize: '/oauth/authorize',
    token: '/oauth/v1/token',
  });
  const server = createServer((request, reply) => {
    if (!request.url?.startsWith('/oauth/v1/access-tokens/'))
      return void oauth.requestHandler(request, reply);
    const info = { hub_id: 62515, hub_domain: 'harbor.example.com', user: 'olive@example.com' };
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(info));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  issuer.url = url;
  return url;
}

const hubSpotSection = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'HubSpot' }) });

test('an owner connects HubSpot, a second window follows, and disconnects it', async () => {
  const hubSpot = await startHubSpot();
  const env = {
    HUBSPOT_CLIENT_ID: 'client',
    HUBSPOT_CLIENT_SECRET: 'secret',
    HUBSPOT_API_URL: hubSpot,
  };
  await withProduct(env, async ({ url }) => {
    const { page, context, consoleErrors } = await openVisit('/', { baseURL: url });
    await signInAsDemoOwner(page);
    await page.goto('/integrations');
    const section = hubSpotSection(page);
    const second = await context.newPage();
    await second.goto('/integrations');
    await hubSpotSection(second).getByRole('button', { name: 'Connect' }).waitFor();

    await section.getByRole('button', { name: 'Connect' }).click();
    await waitForNotice(page, 'HubSpot is connected');
    await section.getByText('harbor.example.com').waitFor();
    await second.getByText('harbor.example.com').waitFor();
    expect(await violations(page)).toEqual([]);

    await section.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await second.getByText('harbor.example.com').waitFor({ state: 'detached' });
    await section.getByText('harbor.example.com').waitFor({ state: 'detached' });
    expect(
      consoleErrors.filter((line) => !/401|favicon|127\.0\.0\.1:\d+\/oauth/.test(line)),
    ).toEqual([]);
  });
});
