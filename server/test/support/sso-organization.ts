import type { OwnProvider } from '../../src/gateways/sign-in.ts';
import { seal } from '../../src/platform/secrets.ts';
import type { TestApp } from './test-app.ts';

let organizations = 0;

/** An organization with a company in it, and the calls of its owner. */
export async function createOrganization(app: TestApp) {
  const { pool } = app.services.db;
  const { company, owner } = await app.createCompany();
  const { rows } = await pool.query<{ id: string }>(
    `insert into organization (name, slug, owner_id) values ('Harborline', $1, $2) returning id`,
    [`harborline-${++organizations}`, owner.id],
  );
  const id = Number(rows[0]!.id);
  await pool.query('update company set organization_id = $1 where id = $2', [id, company.id]);
  return { id, company, owner, as: app.as(owner), params: { id } };
}

/** The same, with a provider and a domain of its own that is proven. */
export async function createSsoOrganization(
  app: TestApp,
  {
    issuer,
    clientId = 'client',
    clientSecret = 'secret',
  }: Pick<OwnProvider, 'issuer'> & Partial<OwnProvider>,
) {
  const { pool } = app.services.db;
  const organization = await createOrganization(app);
  const domain = `harborline-${organization.id}.com`;
  await pool.query(
    `insert into sso_connection (organization_id, issuer, client_id, secret_sealed)
      values ($1, $2, $3, $4)`,
    [organization.id, issuer, clientId, seal(app.services.settings.appSecrets, clientSecret)],
  );
  await pool.query(
    `insert into sso_domain (organization_id, domain, token, proven_at) values ($1, $2, 'v', now())`,
    [organization.id, domain],
  );
  return { ...organization, domain, way: `sso/${organization.id}` };
}
