import { expect, test } from 'vitest';
import { companies, settings as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();

/** Two companies of one organization and a person who administers it. */
async function organization() {
  const [a, b] = [await app.createCompany(), await app.createCompany()];
  const id = await app.services.db.systemTransaction(async (tx) => {
    const made = await tx
      .insertInto('organization')
      .values({ name: 'Group', slug: `settings-${a.company.id}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('company')
      .set({ organization_id: made.id })
      .where('id', 'in', [a.company.id, b.company.id])
      .execute();
    return made.id;
  });
  const other = await app.createCompany();
  await app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('organization_admin')
      .values({ organization_id: id, user_id: other.owner.id })
      .execute(),
  );
  const admin: TestPerson = { ...other.owner, companyId: a.company.id };
  return { id, a, b, other, admin };
}
const set = (who: TestPerson, body: object, query: object = {}) =>
  app.as(who).request(contract.updateGeneralSettings, {
    query: { company_id: who.companyId, ...query },
    body,
  });
const read = async (who: TestPerson) =>
  (
    await app.as(who).request(contract.getGeneralSettings, {
      query: { company_id: who.companyId },
    })
  ).body.data;
const effective = async (who: TestPerson) =>
  (await app.as(who).request(companies.getCompany, { params: { id: who.companyId } })).body.data;

test('companies inherit their organization’s settings unless they have their own', async () => {
  const { id, a, b, other, admin } = await organization();
  await set(b.owner, { export_link_hours: 12 });
  const { status } = await set(
    admin,
    { export_link_hours: 48, timezone: 'America/Chicago', links_enabled: true },
    { organization_id: id },
  );
  expect(status).toBe(200);
  expect((await read(a.owner))['export_link_hours']).toMatchObject({
    value: 48,
    source: 'organization',
    updated_by: { id: admin.id },
  });
  expect((await read(b.owner))['export_link_hours']).toMatchObject({
    value: 12,
    source: 'company',
  });
  expect(await effective(a.owner)).toMatchObject({
    links_enabled: true,
    settings: { export_link_hours: 48, links_enabled: true },
  });
  await app.as(b.owner).request(contract.restoreGeneralSettings, {
    query: { company_id: b.company.id },
    body: { keys: ['export_link_hours'] },
  });
  expect((await effective(b.owner)).settings.export_link_hours).toBe(48);
  expect((await effective(other.owner)).settings.export_link_hours).toBe(24);
});

test('only administrators of an organization change its settings', async () => {
  const { id, a, other } = await organization();
  expect((await set(a.owner, { redact_ssn: true }, { organization_id: id })).status).toBe(403);
  expect((await set(other.owner, { redact_ssn: true }, { organization_id: id })).status).toBe(404);
  expect((await set(a.owner, { redact_ssn: true }, { scope: 'system' })).status).toBe(403);
  expect((await effective(a.owner)).settings.redact_ssn).toBe(false);
});

test('a bulk change has a result for each company and keeps others unchanged', async () => {
  const { a, b, admin } = await organization();
  const stranger = await app.createCompany();
  const { body } = await app.as(admin).request(contract.bulkUpdateGeneralSettings, {
    body: {
      companyIds: [a.company.id, b.company.id, stranger.company.id],
      settings: { redact_dob: true },
    },
  });
  expect(body.data.map((one) => [one.company_id, one.ok])).toEqual([
    [a.company.id, true],
    [b.company.id, true],
    [stranger.company.id, false],
  ]);
  expect((await effective(b.owner)).settings.redact_dob).toBe(true);
  expect((await effective(stranger.owner)).settings.redact_dob).toBe(false);
});

test('the history says who changed what, and unknown settings are rejected', async () => {
  const { company, owner } = await app.createCompany();
  await set(owner, { redact_ssn: true });
  await set(owner, { redact_ssn: null });
  const { body } = await app.as(owner).request(contract.listSettingChanges, {
    query: { company_id: company.id, key: 'redact_ssn' },
  });
  expect(body.data.map(({ before, after, by }) => [before, after, by?.id])).toEqual([
    [true, null, owner.id],
    [null, true, owner.id],
  ]);
  expect((await set(owner, { no_such_setting: 1 })).status).toBe(422);
});
