import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Issuer, OAuth2Server, OAuth2Service } from 'oauth2-mock-server';
import { afterAll, beforeAll } from 'vitest';
import { removeDataDir, startReadyProduct, temporaryDataDir } from '../product.ts';

type Claims = Record<string, unknown>;

const provider = new OAuth2Server();
let claims: Claims = {};
/** From now on the provider says this of whoever signs in. */
export const providerSays = (said: Claims): void => {
  claims = said;
};
/** The provider's address. */
export const issuer = (): string => provider.issuer.url!; // started
/** The installation's origin. */
export let url = '';

/** HubSpot's addresses, played by an OAuth server that consents to everything. */
async function startHubSpot(): Promise<string> {
  const hubspot = new OAuth2Issuer();
  await hubspot.keys.generate('RS256');
  const oauth = new OAuth2Service(hubspot, {
    authorize: '/oauth/authorize',
    token: '/oauth/v3/token',
  });
  const server = createServer((request, reply) => {
    if (!request.url?.startsWith('/oauth/v3/token/introspect'))
      return void oauth.requestHandler(request, reply);
    const info = { hub_id: 62515, hub_domain: 'harbor.example.com', user: 'olive@example.com' };
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(info));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  hubspot.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return hubspot.url;
}

let product: Awaited<ReturnType<typeof startReadyProduct>>;
const dataDir = temporaryDataDir();
beforeAll(async () => {
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  provider.service.on('beforeTokenSigning', (token: { payload: Claims }) => {
    Object.assign(token.payload, { aud: 'trunkline' }, claims);
  });
  product = await startReadyProduct(dataDir, {
    OPENID_ISSUER: issuer(),
    OPENID_CLIENT_ID: 'trunkline',
    OPENID_CLIENT_SECRET: 'secret',
    OPENID_LABEL: 'Harbor ID',
    HUBSPOT_CLIENT_ID: 'client',
    HUBSPOT_CLIENT_SECRET: 'secret',
    HUBSPOT_API_URL: await startHubSpot(),
    SSO_PRIVATE_NETWORK: '1',
  });
  ({ url } = product);
});
afterAll(async () => {
  await product.stop();
  removeDataDir(dataDir);
  await provider.stop();
});
