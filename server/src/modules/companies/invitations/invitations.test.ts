import { expect, test } from 'vitest';
import { companies, identity, invitations as contract, type Body } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { createTestNumber } from '../../../../test/support/call-harness.ts';
import { insertOrganization, insertOrganizationAdmin } from '../index.ts';

const app = await createTestApp({ clock: 'still' });
const password = 'a long enough sentence';
let people = 0;
const newAddress = () => `Invited${++people}@people.test`;

const invite = (who: TestPerson, body: Partial<Body<typeof contract.invitePerson>>) =>
  app.as(who).request(contract.invitePerson, {
    params: { companyId: who.companyId },
    body: { email: newAddress(), role: 'user', ...body },
  });
const of = (who: TestPerson, invitationId: number) => ({
  params: { companyId: who.companyId, invitationId },
});
const list = async (who: TestPerson, query: object = {}) =>
  (
    await app.as(who).request(contract.listInvitations, {
      query: { company_id: who.companyId, ...query } as never,
    })
  ).body.data;
/** The token of the newest link mailed to an address. */
const mailedToken = async (email: string): Promise<string> => {
  const mail = (await app.mails(email)).at(-1);
  return /\/invitations\/(tli_\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
};
const open = (token: string, who: TestPerson | null = null) =>
  app.as(who).request(contract.openInvitationLink, { params: { token } });
const accept = (token: string, body: object = {}, who: TestPerson | null = null) =>
  app.as(who).request(contract.acceptInvitation, { params: { token }, body });
const asNew = { first_name: 'Nina', last_name: 'North', password };
const codeOf = (answer: { body: unknown }) => (answer.body as { code?: string }).code;
const usersOf = async (who: TestPerson) =>
  (await app.as(who).request(companies.listCompanyUsers, { params: { companyId: who.companyId } }))
    .body.data;

test('a new person is mailed a link, sees who invites to what, and joins with name and password', async () => {
  const { company, owner } = await app.createCompany('Harbor <Dental>');
  const number = await createTestNumber(app, company.id);
  const email = newAddress();
  const sent = await invite(owner, {
    email,
    role: 'reporting',
    numbers: [number.id],
    message: 'Welcome to the <b>front desk</b>.',
  });
  expect(sent.status).toBe(201);
  expect(sent.body.data).toMatchObject({
    email,
    role: 'reporting',
    status: 'pending',
    companies: [{ id: company.id, name: 'Harbor <Dental>' }],
    numbers: [{ id: number.id, number: number.number }],
    invited_by: { id: owner.id },
    resent_count: 0,
    accepted_at: null,
    link: null,
  });
  const [mail] = await app.mails(email);
  expect(mail!.subject).toContain('invited you to Harbor <Dental>');
  expect(mail!.text).toContain('Your role: Reporting.');
  expect(mail!.text).toContain('Welcome to the <b>front desk</b>.');
  expect(mail!.html).toContain('Welcome to the &lt;b&gt;front desk&lt;/b&gt;.');
  expect(mail!.html).not.toContain('<b>');

  const token = await mailedToken(email);
  expect((await open(token)).body.data).toMatchObject({
    email,
    account: 'new',
    signed_in_as: null,
    companies: ['Harbor <Dental>'],
    message: 'Welcome to the <b>front desk</b>.',
  });
  expect((await accept(token, { ...asNew, password: 'short' })).body).toMatchObject({
    errors: { password: ['Use at least 12 characters.'] },
  });
  const joined = await accept(token, asNew);
  expect(joined.status).toBe(200);
  expect(joined.body.data).toMatchObject({ email, name: 'Nina North', company_id: company.id });
  const me = await app
    .as({ ...owner, token: joined.body.token!.access_token })
    .request(companies.getUser);
  expect(me.body.data.companies).toMatchObject([{ id: company.id, role: 'reporting' }]);
  expect((await usersOf(owner)).find((u) => u.email === email)).toMatchObject({
    role: 'reporting',
    status: 'active',
    numbers: [{ id: number.id }],
  });
  expect(await list(owner)).toMatchObject([
    { status: 'accepted', accepted_at: expect.any(String) },
  ]);
  expect(codeOf(await accept(token, asNew))).toBe('invitation.accepted');
  const login = await app
    .as(null)
    .request(identity.login, { body: { email: email.toLowerCase(), password } });
  expect(login.status).toBe(200);
});

test('the token is stored hashed only', async () => {
  const { owner } = await app.createCompany();
  const email = newAddress();
  await invite(owner, { email });
  const token = await mailedToken(email);
  const { rows } = await app.services.db.pool.query(
    'select token_hash, i::text whole from invitation i where company_id = $1',
    [owner.companyId],
  );
  expect(rows[0].token_hash).not.toContain(token);
  expect(rows[0].whole).not.toContain(token);
});

test('a person with an account joins in their own session, without a new password', async () => {
  const { company, owner } = await app.createCompany('Second');
  const { owner: guest } = await app.createCompany('First');
  const { owner: other } = await app.createCompany('Third');
  await invite(owner, { email: guest.email.toUpperCase(), role: 'administrator' });
  const token = await mailedToken(guest.email.toUpperCase());
  expect((await open(token)).body.data.account).toBe('existing');
  expect(codeOf(await accept(token, asNew))).toBe('invitation.sign_in');
  expect((await accept(token, {}, other)).body).toMatchObject({
    code: 'invitation.other_person',
    message: `You’re signed in as ${other.email}. Sign out to accept this invitation.`,
  });
  expect((await open(token, guest)).body.data.signed_in_as).toBe(guest.email);
  const joined = await accept(token, {}, guest);
  expect(joined.body).toMatchObject({
    token: null,
    data: { id: guest.id, company_id: company.id },
  });
  const me = await app.as(guest).request(companies.getUser);
  expect(me.body.data.companies.map((c) => [c.name, c.role])).toEqual([
    ['First', 'owner'],
    ['Second', 'administrator'],
  ]);
  expect(codeOf(await invite(owner, { email: guest.email }))).toBe('invitation.already_member');
});

test('a second invitation to the same address is the first one, and mails nothing', async () => {
  const { owner } = await app.createCompany();
  const email = newAddress();
  const both = await Promise.all([invite(owner, { email }), invite(owner, { email })]);
  expect(both.map((a) => a.status).toSorted()).toEqual([200, 201]);
  expect(both[0].body.data.id).toBe(both[1].body.data.id);
  expect(await app.mails(email)).toHaveLength(1);
});

test('resending renews seven days and voids the old link, at most five times a day', async () => {
  const { owner } = await app.createCompany();
  const email = newAddress();
  const { id } = (await invite(owner, { email })).body.data;
  const first = await mailedToken(email);
  app.clock.advance(6 * 86_400);
  const resend = () => app.as(owner).request(contract.resendInvitation, of(owner, id));
  const again = await resend();
  expect(again.body.data).toMatchObject({
    status: 'pending',
    resent_count: 1,
    expires_at: new Date(app.clock.value.getTime() + 7 * 86_400_000).toISOString(),
  });
  const second = await mailedToken(email);
  expect(second).not.toBe(first);
  expect((await open(first)).body).toMatchObject({
    status: 410,
    code: 'invitation.expired',
    message: 'Link expired. Please log in.',
  });
  expect((await open(second)).status).toBe(200);
  for (let n = 2; n <= 5; n++) expect((await resend()).status).toBe(200);
  expect(codeOf(await resend())).toBe('invitation.resent_too_often');
  app.clock.advance(86_401);
  expect((await resend()).body.data.resent_count).toBe(6);
});

test('a link expires after seven days and can be renewed; a withdrawn one can’t', async () => {
  const { owner } = await app.createCompany();
  const email = newAddress();
  const { id } = (await invite(owner, { email })).body.data;
  const token = await mailedToken(email);
  app.clock.advance(7 * 86_400 + 1);
  expect(codeOf(await accept(token, asNew))).toBe('invitation.expired');
  expect(await list(owner, { status: 'expired' })).toMatchObject([{ id, status: 'expired' }]);
  await app.as(owner).request(contract.resendInvitation, of(owner, id));
  const renewed = await mailedToken(email);
  const revoke = () => app.as(owner).request(contract.revokeInvitation, of(owner, id));
  expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 204]);
  expect(codeOf(await open(renewed))).toBe('invitation.revoked');
  expect(codeOf(await accept(renewed, asNew))).toBe('invitation.revoked');
  expect(codeOf(await app.as(owner).request(contract.resendInvitation, of(owner, id)))).toBe(
    'invitation.revoked',
  );
});

test('of two who accept at the same time, one joins', async () => {
  const { owner } = await app.createCompany();
  const email = newAddress();
  await invite(owner, { email });
  const token = await mailedToken(email);
  const both = await Promise.all([accept(token, asNew), accept(token, asNew)]);
  expect(both.map((a) => a.status).toSorted()).toEqual([200, 409]);
  expect((await usersOf(owner)).filter((u) => u.email === email)).toHaveLength(1);
});

test('no one is invited as owner, and only those who may edit people invite', async () => {
  const { company, owner } = await app.createCompany();
  expect((await invite(owner, { role: 'owner' as never })).status).toBe(422);
  const user = await app.createPerson(company.id, 'user');
  expect(codeOf(await invite(user, {}))).toBe('role.forbidden');
  const left = await app.createPerson(company.id, 'deactivated');
  expect(codeOf(await invite(owner, { email: left.email }))).toBe('invitation.deactivated');
});

test('another company’s numbers, invitations and companies are not found', async () => {
  const { owner } = await app.createCompany();
  const { company: theirs, owner: stranger } = await app.createCompany();
  const number = await createTestNumber(app, theirs.id);
  expect((await invite(owner, { numbers: [number.id] })).status).toBe(422);
  const { id } = (await invite(stranger, {})).body.data;
  for (const e of [contract.resendInvitation, contract.revokeInvitation])
    expect((await app.as(owner).request(e, of(owner, id))).status).toBe(404);
  const foreign = await app
    .as(owner)
    .request(contract.listInvitations, { query: { company_ids: [theirs.id] } });
  expect(foreign.status).toBe(404);
  expect(await list(owner)).toEqual([]);
});

test('an organization’s administrator invites to several companies at once, also as administrator of it', async () => {
  const { company, owner } = await app.createCompany('North');
  const { company: second } = await app.createCompany('South');
  const { company: outside } = await app.createCompany('Elsewhere');
  const { company: home } = await app.createCompany('Home');
  const boss = await app.createPerson(home.id, 'user');
  const organization = await app.services.db.systemTransaction(async (tx) => {
    const { id } = await insertOrganization(tx, {
      name: 'Both',
      slug: `both-${company.id}`,
      owner_id: boss.id,
    });
    await tx
      .updateTable('company')
      .set({ organization_id: id })
      .where('id', 'in', [company.id, second.id])
      .execute();
    await insertOrganizationAdmin(tx, { organization_id: id, user_id: boss.id });
    return id;
  });
  const asBoss = { ...boss, companyId: company.id };
  const more = {
    businessUnitId: organization,
    businessUnitCompanyIds: [second.id],
    is_org_administrator: true,
  };
  expect(codeOf(await invite(owner, { is_org_administrator: true }))).toBe('role.forbidden');
  expect(codeOf(await invite(owner, more))).toBe('not_found');
  expect((await invite(asBoss, { ...more, businessUnitCompanyIds: [outside.id] })).status).toBe(
    404,
  );
  const email = newAddress();
  const sent = await invite(asBoss, { ...more, email });
  expect(sent.body.data.companies.map((c) => c.name)).toEqual(['North', 'South']);
  const filtered = { business_unit_id: organization, is_bu_member: true };
  expect(await list(asBoss, filtered)).toHaveLength(1);
  expect(await list(asBoss, { is_bu_member: false })).toEqual([]);
  const joined = await accept(await mailedToken(email), asNew);
  const me = await app
    .as({ ...owner, token: joined.body.token!.access_token })
    .request(companies.getUser);
  expect(me.body.data.companies.map((c) => c.name)).toEqual(['North', 'South']);
  expect(me.body.data.hasBusinessUnits).toBe(true);
});

test('without mail the inviter gets the link to hand over, once', async () => {
  const { owner } = await app.createCompany();
  const { settings } = app.services;
  settings.canMail = false;
  try {
    const email = newAddress();
    const sent = await invite(owner, { email });
    expect(sent.body.data.link).toMatch(/^http.*\/invitations\/tli_/);
    expect((await invite(owner, { email })).body.data.link).toBeNull();
    expect((await list(owner))[0]!.link).toBeNull();
    const joined = await accept(sent.body.data.link!.split('/').at(-1)!, asNew);
    expect(joined.status).toBe(200);
  } finally {
    settings.canMail = true;
  }
});

test('a resend by the session cookie needs the XSRF header, though it is a GET', async () => {
  const { owner } = await app.createCompany();
  const email = newAddress();
  const { id } = (await invite(owner, { email })).body.data;
  await invite(owner, {});
  const joined = await app.server.inject({
    method: 'POST',
    url: '/api/sanctum/login',
    payload: { email: owner.email, password: 'trunkline-demo' },
  });
  const cookie = String(joined.headers['set-cookie']).split(';')[0]!;
  const answer = await app.as(null).inject({
    method: 'GET',
    url: `/api/company/${owner.companyId}/invite/${id}/resend`,
    headers: { cookie },
  });
  expect([answer.status, codeOf(answer)]).toEqual([403, 'csrf_mismatch']);
});

test('every step is in the audit log', async () => {
  const { owner } = await app.createCompany();
  const email = newAddress();
  const { id } = (await invite(owner, { email })).body.data;
  await app.as(owner).request(contract.resendInvitation, of(owner, id));
  await accept(await mailedToken(email), asNew);
  const { rows } = await app.services.db.pool.query(
    'select action from audit_log where company_id = $1 order by id',
    [owner.companyId],
  );
  expect(rows.map((r) => r.action)).toEqual([
    'invitation.sent',
    'invitation.resent',
    'invitation.accepted',
    'sign_in.succeeded',
  ]);
});
