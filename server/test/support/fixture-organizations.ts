import { insertOrganizationAdmin } from '../../src/modules/companies/index.ts';
import type { TestApp, TestPerson } from './test-app.ts';

/** A person who administers an organization and has no role of their own in its companies. */
export async function createOrganizationAdmin(
  app: TestApp,
  organizationId: number,
  companyId: number,
): Promise<TestPerson> {
  const person = await app.createPerson(companyId, 'user');
  await app.services.db.systemTransaction(async (tx) => {
    await insertOrganizationAdmin(tx, { organization_id: organizationId, user_id: person.id });
    await tx.deleteFrom('membership').where('user_id', '=', person.id).execute();
  });
  return { ...person, role: 'org-administrator' };
}
