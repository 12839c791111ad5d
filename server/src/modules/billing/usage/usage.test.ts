import { expect, test } from 'vitest';
import { conversations, subscription } from '#contract';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';

const { world: app, aCall, ringing } = await createCallHarness();
const inbox = inboxHelpers(app);

const rows = (companyId: number) =>
  app.services.db.unscoped
    .selectFrom('usage_entry')
    .select(['component', 'quantity', 'seconds'])
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
const used = async (person: TestPerson, key: string) => {
  const { body } = await app
    .as(person)
    .request(subscription.usageComponents, { params: { companyId: person.companyId } });
  return body.data.find((one) => one.key === key);
};

test('a call that was forwarded counts both legs, in started minutes, beside the real seconds', async () => {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id, {
    routes: [{ type: 'standard', to: ['+12015550123'] }],
  });
  const call = aCall(number.number);
  await call.tell(call.inbound);
  const leg = ringing(call, '+12015550123');
  app.clock.advance(5);
  await call.says(leg, { type: 'legAnswered' });
  app.clock.advance(61);
  const ended = call.event(call.leg, { type: 'legEnded', cause: 'hangup' });
  await call.tell(ended);
  await call.tell(ended);
  await call.says(leg, { type: 'legEnded', cause: 'hangup' });
  const minutes = (await rows(company.id)).filter(({ component }) => /minutes/.test(component));
  expect(minutes).toEqual(
    expect.arrayContaining([
      { component: 'voice_minutes', quantity: 2, seconds: 61 },
      { component: 'outbound_minutes', quantity: 2, seconds: 61 },
    ]),
  );
  expect(minutes).toHaveLength(2);
  expect(await used(owner, 'voice_minutes')).toMatchObject({ used: 2, seconds: 61 });
});

test('a call that no one answered costs nothing', async () => {
  const { company } = await app.createCompany();
  const number = await createTestNumber(app, company.id, { voicemail: false });
  const call = aCall(number.number);
  await call.tell(call.inbound);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  expect((await rows(company.id)).filter(({ component }) => /minutes/.test(component))).toEqual([]);
});

test('a text counts its segments once, when its carrier took it', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const sent = await app.as(owner).request(conversations.sendMessage, {
    body: {
      companyId: company.id,
      numberId: number.id,
      to: '+12015550188',
      message: 'a'.repeat(200),
    },
  });
  expect(sent.status, JSON.stringify(sent.body)).toBeLessThan(300);
  await app.drainJobs();
  await app.drainJobs();
  expect(await used(owner, 'text_credits')).toMatchObject({ used: 2 });
});

test('numbers count as long as they are held', async () => {
  const { company, owner } = await app.createCompany();
  const local = await inbox.number(company.id);
  await inbox.number(company.id, '+18885550142');
  expect(await used(owner, 'numbers_local')).toMatchObject({ used: 1 });
  expect(await used(owner, 'numbers_toll_free')).toMatchObject({ used: 1 });
  const set = (status: string) =>
    app.services.db.unscoped
      .updateTable('number')
      .set({ status })
      .where('company_id', '=', company.id)
      .where('id', '=', local.id)
      .execute();
  await set('releasing');
  expect(await used(owner, 'numbers_local')).toMatchObject({ used: 1 });
  await set('released');
  expect(await used(owner, 'numbers_local')).toMatchObject({ used: 0 });
  await set('active');
  expect(await used(owner, 'numbers_local')).toMatchObject({ used: 1 });
});

test('usage of another company isn’t counted, and seats are people who can sign in', async () => {
  const { company, owner } = await app.createCompany();
  const other = await app.createCompany();
  await inbox.number(other.company.id);
  await app.createPerson(company.id, 'user');
  await app.createPerson(company.id, 'deactivated');
  expect(await used(owner, 'numbers_local')).toMatchObject({ used: 0 });
  expect(await used(owner, 'seats')).toMatchObject({ used: 2 });
});
