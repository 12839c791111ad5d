import { randomUUID } from 'node:crypto';
import {
  insertAuthorization,
  insertClient,
} from '../../src/modules/identity/oauth-provider/store-oauth.ts';
import type { TestApp, TestPerson } from './test-app.ts';

/** A registered program, and what the owner allowed it. */
export function createOAuthFixtures(app: TestApp, owner: TestPerson) {
  const clientId = `tlc_${randomUUID()}`;
  return app.services.db.systemTransaction(async (tx) => ({
    oauthClient: (
      await insertClient(tx, {
        client_id: clientId,
        company_id: owner.companyId,
        name: 'Reports',
        redirect_uris: ['https://reports.test/callback'],
        is_confidential: false,
      })
    ).id,
    oauthAuthorization: await insertAuthorization(tx, {
      grant_hash: randomUUID(),
      client_id: clientId,
      client_name: 'Reports',
      person_id: owner.id,
      company_id: owner.companyId,
      scopes: ['read'],
      expires_at: new Date(app.clock.value.getTime() + 400 * 86_400_000),
    }),
  }));
}
