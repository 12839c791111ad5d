import { expect, test } from 'vitest';
import {
  accessTokens,
  archive,
  audit,
  companies,
  contacts,
  exporting,
  importing,
  settings,
  users,
} from '#contract';
import { createTestApp, type TestPerson } from './support/test-app.ts';

/**
 * Exports and archives are fetched by whoever they were made for, with their session, key or program,
 * and only while that person may read all that is in them; they can be withdrawn.
 */
const app = await createTestApp();

const get = (who: TestPerson | null, url: string, remoteAddress = '127.0.0.1') =>
  app.as(who).inject({ method: 'GET', url, remoteAddress });

async function exportContacts(who: TestPerson): Promise<string> {
  const params = { companyId: who.companyId };
  const begun = await app
    .as(who)
    .request(importing.exportContacts, { params, body: { all: true } });
  expect(begun.status, JSON.stringify(begun.body)).toBe(202);
  await app.drainJobs();
  const done = await app.as(who).request(importing.contactsProgress, {
    params: { ...params, batchId: begun.body.data.batchId },
  });
  return done.body.data.resultUrl!;
}
async function exportMessages(who: TestPerson): Promise<string> {
  const query = { companyId: who.companyId };
  const begun = await app
    .as(who)
    .request(exporting.exportMessages, { body: { ...query, tz: 'UTC' } });
  await app.drainJobs();
  const done = await app.as(who).request(exporting.exportProgress, {
    params: { batchId: begun.body.data.batchId },
    query,
  });
  return done.body.data.resultUrl!;
}
async function makeArchive(who: TestPerson): Promise<{ id: string; url: string }> {
  const params = { companyId: who.companyId };
  const begun = await app
    .as(who)
    .request(archive.startArchive, { params, body: { password: 'trunkline-demo' } });
  expect(begun.status).toBe(202);
  await app.drainJobs();
  const { data } = (await app.as(who).request(archive.listArchives, { params })).body;
  return { id: data[0]!.id, url: data[0]!.url! };
}
/** A company with a contact, and an administrator who has an archive and an export of it. */
async function createScene() {
  const { owner, company } = await app.createCompany();
  const person = await app.createPerson(company.id, 'administrator');
  await app.as(owner).request(contacts.createContact, {
    body: { companyId: company.id, name: 'Dana Reed', number: '+12125550123' },
  });
  const links = [(await makeArchive(person)).url, await exportContacts(person)];
  const answers = async (who: TestPerson | null = person) => {
    const statuses = [];
    for (const url of links) statuses.push((await get(who, url)).status);
    return statuses;
  };
  expect(await answers()).toEqual([200, 200]);
  return { owner, company, person, links, answers };
}
const setRole = (owner: TestPerson, person: TestPerson, body: object) =>
  app.as(owner).request(companies.updateCompanyUser, {
    params: { companyId: owner.companyId, userId: person.id },
    body,
  });

test('a link opens nothing without the session it was made for', async () => {
  const { owner, person, answers, links } = await createScene();
  const stranger = await app.createCompany();
  expect(await answers(null)).toEqual([401, 401]);
  expect(await answers(owner)).toEqual([404, 404]);
  expect(await answers(stranger.owner)).toEqual([404, 404]);
  const fileId = /exports\/(\d+)\/file/.exec(links[0]!)![1]!;
  const signed = app.services.files.signUrl(person.companyId, Number(fileId), app.clock.value);
  expect((await get(null, signed)).status).toBe(404);
  const { headers } = await get(person, links[1]!);
  expect(headers['content-disposition']).toContain('attachment');
  expect(headers['cache-control']).toBe('private, no-store');
});

test('it dies with a lesser role, and with deactivation and removal', async () => {
  const { owner, company, person, answers } = await createScene();
  await setRole(owner, person, { role: 'user' });
  expect(await answers()).toEqual([404, 404]);
  await setRole(owner, person, { role: 'administrator' });
  expect(await answers()).toEqual([200, 200]);
  // Known elsewhere too, so that the session lives on.
  const { company: other } = await app.createCompany();
  await app.services.db.pool.query(
    `insert into membership (company_id, user_id, role) values ($1, $2, 'user')`,
    [other.id, person.id],
  );
  const body = { companyId: company.id, userId: person.id };
  await app.as(owner).request(users.deactivateUser, { body });
  expect(await answers()).toEqual([403, 403]);
  await app.as(owner).request(users.deleteCompanyUser, {
    params: { companyId: company.id, userId: person.id },
  });
  expect(await answers()).toEqual([404, 404]);
});

test('it follows networks, the required factor and the company’s state', async () => {
  const { owner, company, person, answers } = await createScene();
  const set = (more: object) =>
    app.as(owner).inject({
      method: 'POST',
      url: `/api/general-settings?companyId=${company.id}`,
      payload: more,
      remoteAddress: '203.0.113.7',
    });
  expect((await set({ allowed_ip_ranges: ['203.0.113.0/24'] })).status).toBe(200);
  expect(await answers()).toEqual([403, 403]);
  await set({ allowed_ip_ranges: [] });
  await app.services.db.pool.query('update person set mfa_enabled_at = now() where id = $1', [
    owner.id,
  ]);
  expect((await set({ require_mfa: 'admins' })).status).toBe(200);
  expect((await get(person, `/api/company/${company.id}`)).body).toMatchObject({
    code: 'mfa.setup_required',
  });
  expect(await answers()).toEqual([403, 403]);
  await set({ require_mfa: 'off' });
  expect(await answers()).toEqual([200, 200]);
  await app.services.db.pool.query('update company set status = 2 where id = $1', [company.id]);
  expect(await answers()).toEqual([404, 404]);
});

test('it follows numbers, and what of contacts may be seen', async () => {
  const { owner, company } = await app.createCompany();
  const person = await app.createPerson(company.id, 'user', [1, 2]);
  const url = await exportMessages(person);
  const answer = async () => (await get(person, url)).status;
  const numbers = (ids: number[]) =>
    app.services.db.pool.query(
      'update membership set number_ids = $2 where company_id = $1 and user_id = $3',
      [company.id, ids, person.id],
    );
  expect(await answer()).toBe(200);
  await numbers([1]);
  expect(await answer()).toBe(404);
  await numbers([1, 2, 3]);
  expect(await answer()).toBe(200);
  await numbers([]);
  expect(await answer()).toBe(200);
  const hide = (mask_contact_details_for_users: boolean) =>
    app.as(owner).request(settings.updateGeneralSettings, {
      query: { companyId: company.id },
      body: { mask_contact_details_for_users },
    });
  await hide(true);
  expect(await answer()).toBe(404);
  await hide(false);
  expect(await answer()).toBe(200);
});

test('a key fetches with the scope that would read it, and dies with it', async () => {
  const { person, answers } = await createScene();
  const withKey = async (scopes: ('read' | 'write' | 'admin')[]) => {
    const { body } = await app.as(person).request(accessTokens.createPersonalAccessToken, {
      body: { company_id: person.companyId, name: 'Reader', scopes },
    });
    return { ...person, token: body.data.plain_text_token! };
  };
  expect(await answers(await withKey(['read', 'admin']))).toEqual([200, 200]);
  expect(await answers(await withKey(['read']))).toEqual([404, 200]);
  expect(await answers(await withKey(['write']))).toEqual([403, 403]);
});

test('staff in admin mode fetch what they made, and no longer after it ended', async () => {
  const { company } = await app.createCompany();
  const staff = { ...(await app.createStaff()), companyId: company.id };
  const admin = { isadmin: '1' };
  const begun = await app.as(staff).request(importing.exportContacts, {
    params: { companyId: company.id },
    body: { all: true },
    headers: admin,
  });
  await app.drainJobs();
  const done = await app.as(staff).request(importing.contactsProgress, {
    params: { companyId: company.id, batchId: begun.body.data.batchId },
    headers: admin,
  });
  const url = done.body.data.resultUrl!;
  const answer = async () =>
    (await app.as(staff).inject({ method: 'GET', url, headers: admin })).status;
  expect(await answer()).toBe(200);
  await app.services.db.pool.query('update session set admin_mode = false where person_id = $1', [
    staff.id,
  ]);
  expect(await answer()).toBe(404);
});

test('the owner sees and deletes what people exported, and archives; nobody else’s hands', async () => {
  const { owner, company, person, answers, links } = await createScene();
  const params = { companyId: company.id };
  const user = await app.createPerson(company.id, 'user');
  const listed = async (who: TestPerson) =>
    (await app.as(who).request(archive.listExports, { params })).body.data;
  expect(await listed(user)).toEqual([]);
  const [exported] = await listed(owner);
  expect(exported).toMatchObject({ made_by: { id: person.id }, url: null });
  expect((await listed(person))[0]).toMatchObject({ id: exported!.id, url: links[1] });
  const remove = (who: TestPerson) =>
    app.as(who).request(archive.deleteExport, { params: { ...params, fileId: exported!.id } });
  expect((await remove(user)).status).toBe(404);
  expect((await remove(owner)).status).toBe(204);
  expect(await answers()).toEqual([200, 404]);
  const archives = async () =>
    (await app.as(owner).request(archive.listArchives, { params })).body.data;
  const drop = (who: TestPerson) =>
    archives().then(([one]) =>
      app.as(who).request(archive.deleteArchive, { params: { ...params, archiveId: one!.id } }),
    );
  expect((await drop(user)).status).toBe(403);
  const { rows } = await app.services.db.pool.query<{ key: string }>(
    `select key from file where company_id = $1 and purpose = 'archive'`,
    [company.id],
  );
  expect((await drop(owner)).status).toBe(204);
  expect((await drop(owner)).status).toBe(204);
  expect(await answers()).toEqual([404, 404]);
  expect(await archives()).toMatchObject([{ state: 'deleted', file: null, url: null }]);
  await expect(app.services.files.blobs.get(rows[0]!.key)).rejects.toThrow();
  const trail = await app.services.db.pool.query<{ action: string }>(
    `select action from audit_log where company_id = $1 and action like '%.deleted' order by id`,
    [company.id],
  );
  expect(trail.rows.map(({ action }) => action)).toEqual(['export.deleted', 'archive.deleted']);
});

test('the mail about an export leads to a page, not to its bytes', async () => {
  const { person, links } = await createScene();
  const mails = (await app.mails(person.email)).filter(({ subject }) => /export/.test(subject));
  expect(mails).toHaveLength(2);
  for (const { text } of mails) {
    expect(text).toContain(`/exports/${person.companyId}/`);
    expect(links.some((url) => text.includes(url))).toBe(false);
  }
});

test('each fetched export and archive is in the audit log; refused fetches and parts of one are not', async () => {
  const { owner, person, links, answers } = await createScene();
  const stranger = await app.createCompany();
  const rows = async (who = owner) =>
    (
      await app.as(who).request(audit.listAuditLog, {
        params: { companyId: who.companyId },
        query: { group: 'data', search: 'downloaded' },
      })
    ).body.data;
  // The scene fetched both once.
  expect(await rows()).toMatchObject([
    { action: 'export.downloaded', actor: { id: person.id }, ip: '127.0.0.1' },
    { action: 'archive.downloaded', actor: { id: person.id }, ip: '127.0.0.1' },
  ]);
  expect((await rows())[0]!.subject_name).toContain('.csv');
  await answers(owner);
  await answers(stranger.owner);
  await answers(null);
  await app.as(person).inject({ method: 'HEAD', url: links[0]! });
  expect(await rows()).toHaveLength(2);
  app.clock.advance(3601);
  for (const range of ['bytes=0-9', 'bytes=10-19', 'bytes=5-'])
    await app.as(person).inject({ method: 'GET', url: links[0]!, headers: { range } });
  expect(await rows()).toHaveLength(3);
  await answers();
  expect(await rows()).toHaveLength(5);
  expect(await rows(stranger.owner)).toEqual([]);
});
