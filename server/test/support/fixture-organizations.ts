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

/** A data group of the organization that holds a number; its ID. */
export const createDataGroup = (
  app: TestApp,
  organizationId: number,
  numberId: number,
): Promise<number> =>
  app.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('data_group')
      .values({ organization_id: organizationId, name: `Offices ${numberId}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('data_group_entity')
      .values({
        organization_id: organizationId,
        group_id: id,
        type: 'number',
        entity_id: numberId,
      })
      .execute();
    return id;
  });
