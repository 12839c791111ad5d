import type { OwnProviders } from '../../src/gateways/sign-in.ts';
import { seal } from '../../src/platform/secrets.ts';
import type { InputContext } from './endpoint-inputs.ts';
import type { FixtureCompany } from './fixtures.ts';
import type { TestApp } from './test-app.ts';

/** Says of every provider that it can be used, and visits none. */
const standIn: OwnProviders = {
  check: () => Promise.resolve(null),
  connect: () => ({
    name: 'sso',
    label: 'Single sign-on',
    authorizationUrl: ({ state }) => Promise.resolve(`https://id.test/?state=${state}`),
    identify: () => Promise.resolve({ state: 'refused', reason: 'it is not asked' }),
  }),
};
const setUp = (app: TestApp): void => {
  app.services.gateways.ownProviders = standIn;
};
const connect = async (app: TestApp, organizationId: unknown): Promise<void> => {
  setUp(app);
  await app.services.db.pool.query(
    `insert into sso_connection (organization_id, issuer, client_id, secret_sealed)
      values ($1, 'https://id.test', 'c', $2) on conflict do nothing`,
    [organizationId, seal(app.services.settings.appSecrets, 'secret')],
  );
};

let domains = 0;
async function domain({ app, fixtureIds }: InputContext) {
  const params = { id: Number(fixtureIds.organization), domain: `harbor-${++domains}.com` };
  await app.services.db.pool.query(
    `insert into sso_domain (organization_id, domain, token) values ($1, $2, 'v_1')`,
    [params.id, params.domain],
  );
  return { params };
}

/** What the endpoints of single sign-on need beyond their examples. */
export const ssoInputs = {
  saveSso: ({ app }: InputContext) => (setUp(app), {}),
  testSso: ({ app }: InputContext) => (setUp(app), {}),
  removeSso: async ({ app, fixtureIds }: InputContext) => {
    await connect(app, fixtureIds.organization);
    return {};
  },
  requireSso: async ({ app, fixtureIds }: InputContext) => {
    await connect(app, fixtureIds.organization);
    // On, so that the example turns it off.
    await app.services.db.pool.query(
      'update sso_connection set required_at = now() where organization_id = $1',
      [fixtureIds.organization],
    );
    return {};
  },
  revokeScimToken: async ({ app, fixtureIds }: InputContext) => {
    await app.services.db.pool.query(
      `insert into scim_token (organization_id, hash) values ($1, $2) on conflict do nothing`,
      [fixtureIds.organization, `h${fixtureIds.organization}`],
    );
    return {};
  },
  checkSsoDomain: domain,
  removeSsoDomain: domain,
};

interface Anyone {
  world: TestApp;
  a: FixtureCompany;
}
const connected = async ({ world, a }: Anyone) => {
  await connect(world, a.ids.organization);
  return { params: { id: Number(a.ids.organization) } };
};
/** The same of those that anyone can call. */
export const anonymousSsoInputs = { redirectToSso: connected, returnFromSso: connected };
