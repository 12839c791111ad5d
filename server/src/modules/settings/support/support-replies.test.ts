import { expect, test } from 'vitest';
import { audit, support as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp({ env: { SUPPORT_EMAIL: 'help@operator.test' } });
const asAdmin = { isadmin: '1' };
const staff = await app.createStaff();

const ask = async (who: TestPerson, message = 'Calls ring only once.') =>
  (
    await app.as(who).request(contract.createSupportTicket, {
      params: { companyId: who.companyId },
      body: { message },
    })
  ).body.data;
const mine = (who: TestPerson, ticketId: number) => ({
  params: { companyId: who.companyId, ticketId },
});
const read = (who: TestPerson, id: number) =>
  app.as(who).request(contract.getSupportTicket, mine(who, id));
const reply = (who: TestPerson, id: number, message: string) =>
  app.as(who).request(contract.replyToSupport, { ...mine(who, id), body: { message } });
const answer = (id: number, message: string, close = false) =>
  app.as(staff).request(contract.replyAsSupport, {
    params: { id },
    body: { message, close },
    headers: asAdmin,
  });
const update = (id: number, body: { status?: 'open' | 'closed'; mine?: boolean }) =>
  app.as(staff).request(contract.updateStaffTicket, { params: { id }, body, headers: asAdmin });
const mailsAbout = async (to: string, reference: string) =>
  (await app.mails(to)).filter(({ subject }) => subject.includes(reference));

test('a request is answered by email and on screen, replied to, and ends', async () => {
  const { owner } = await app.createCompany();
  const ticket = await ask(owner);
  const answered = await answer(ticket.id, 'Raise <b>“Ring for”</b>.');
  expect(answered.body.data).toMatchObject({
    status: 'answered',
    assignee: { id: staff.id },
    user: { email: owner.email },
    replies: [{ by_staff: true, message: 'Raise <b>“Ring for”</b>.' }],
  });
  const [, mail] = await mailsAbout(owner.email, ticket.reference);
  expect(mail?.text).toContain(`/support?ticket=${ticket.id}`);
  expect(mail?.html).toContain('Raise &lt;b&gt;“Ring for”&lt;/b&gt;.');
  expect((await read(owner, ticket.id)).body.data).toMatchObject({
    status: 'answered',
    replies: [{ by_staff: true }],
  });
  // Who of the staff answered is theirs to know.
  expect(JSON.stringify((await read(owner, ticket.id)).body)).not.toContain('author');

  app.clock.advance(60);
  expect((await reply(owner, ticket.id, ' It still does. ')).body.data).toMatchObject({
    status: 'open',
    replies: [{ by_staff: true }, { by_staff: false, message: 'It still does.' }],
  });
  const told = await mailsAbout('help@operator.test', ticket.reference);
  expect(told.at(-1)).toMatchObject({ subject: `Reply to support request ${ticket.reference}` });
  expect(told.at(-1)?.text).toContain('It still does.');

  expect((await answer(ticket.id, 'Mended on our side.', true)).body.data.status).toBe('closed');
  const closed = await app.as(owner).request(contract.closeSupportTicket, mine(owner, ticket.id));
  expect(closed.body.data.status).toBe('closed');
  // A reply opens it again.
  expect((await reply(owner, ticket.id, 'One more thing')).body.data.status).toBe('open');
  const log = await app.as(owner).request(audit.listAuditLog, {
    params: { companyId: owner.companyId },
    query: { search: null },
  });
  expect(log.body.data.map(({ action }) => action).toReversed()).toEqual(
    expect.arrayContaining([
      'support_ticket.created',
      'support_ticket.answered',
      'support_ticket.replied',
    ]),
  );
});

test('staff take a request, give it back, close it and open it again; a decision is told once', async () => {
  const { owner } = await app.createCompany();
  const ticket = await ask(owner);
  expect((await update(ticket.id, { mine: true })).body.data.assignee?.id).toBe(staff.id);
  expect((await update(ticket.id, { mine: false })).body.data.assignee).toBeNull();
  for (let i = 0; i < 2; i++)
    expect((await update(ticket.id, { status: 'closed' })).body.data.status).toBe('closed');
  expect(await mailsAbout(owner.email, ticket.reference)).toMatchObject([
    { subject: `We received your request ${ticket.reference}` },
    { subject: `We closed your request ${ticket.reference}` },
  ]);
  const listed = async (status: 'open' | 'answered' | 'closed') =>
    (
      await app.as(staff).request(contract.listAllSupportTickets, {
        query: { status, search: ticket.reference },
        headers: asAdmin,
      })
    ).body.data.map(({ id }) => id);
  expect([await listed('closed'), await listed('open')]).toEqual([[ticket.id], []]);
  expect((await update(ticket.id, { status: 'open' })).body.data.status).toBe('open');
  expect(await listed('open')).toEqual([ticket.id]);
});

test('only the sender reads and replies, and only staff in admin mode answer', async () => {
  const { company, owner } = await app.createCompany();
  const { owner: stranger } = await app.createCompany();
  const ticket = await ask(owner);
  const colleague = await app.createPerson(company.id, 'administrator');
  for (const who of [colleague, stranger]) {
    expect((await read(who, ticket.id)).status).toBe(404);
    expect((await reply(who, ticket.id, 'Hello')).status).toBe(404);
    const end = await app.as(who).request(contract.closeSupportTicket, mine(who, ticket.id));
    expect(end.status).toBe(404);
  }
  for (const [who, headers] of [
    [owner, asAdmin],
    [staff, {}],
  ] as const) {
    const params = { id: ticket.id };
    expect((await app.as(who).request(contract.getStaffTicket, { params, headers })).status).toBe(
      403,
    );
    const said = { params, headers, body: { message: 'I am support' } };
    expect((await app.as(who).request(contract.replyAsSupport, said)).status).toBe(403);
    const taken = { params, headers, body: { mine: true } };
    expect((await app.as(who).request(contract.updateStaffTicket, taken)).status).toBe(403);
  }
  expect((await read(owner, ticket.id)).body.data).toMatchObject({ status: 'open', replies: [] });
});

test('an empty reply, one too long, and a request that isn’t there are refused', async () => {
  const { owner } = await app.createCompany();
  const ticket = await ask(owner);
  for (const message of ['  ', 'x'.repeat(10_001)]) {
    expect((await reply(owner, ticket.id, message)).status).toBe(422);
    expect((await answer(ticket.id, message)).status).toBe(422);
  }
  expect((await answer(8_999_999_999_999, 'Hello')).status).toBe(404);
  expect((await update(8_999_999_999_999, { mine: true })).status).toBe(404);
  expect((await reply(owner, 8_999_999_999_999, 'Hello')).status).toBe(404);
});
