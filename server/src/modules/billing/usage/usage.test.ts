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

test('a number of a pool and one for faxes are charged as such, a toll-free one always as what it is', async () => {
  const { company, owner } = await app.createCompany();
  const local = await inbox.number(company.id);
  const tollFree = await inbox.number(company.id, '+18885550143');
  const [pool] = await app.services.db.unscoped
    .insertInto('tracking_pool')
    .values({
      ...{ company_id: company.id, name: 'Website', settings: '{}' },
      ...{ created_at: app.clock.value, updated_at: app.clock.value },
    })
    .returning('id')
    .execute();
  const set = (id: number, values: { dni_pool_id?: number | null; category?: number }) =>
    app.services.db.unscoped
      .updateTable('number')
      .set(values)
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .execute();
  const held = async () =>
    Object.fromEntries(
      await Promise.all(
        ['numbers_local', 'pool_numbers', 'numbers_fax', 'numbers_toll_free'].map(async (key) => [
          key,
          (await used(owner, key))?.used,
        ]),
      ),
    ) as Record<string, number>;
  const none = { numbers_local: 0, pool_numbers: 0, numbers_fax: 0, numbers_toll_free: 1 };
  await set(local.id, { dni_pool_id: pool?.id ?? 0 });
  await set(tollFree.id, { dni_pool_id: pool?.id ?? 0 });
  expect(await held()).toEqual({ ...none, pool_numbers: 1 });
  await set(local.id, { dni_pool_id: null });
  await set(local.id, { dni_pool_id: pool?.id ?? 0 });
  await set(local.id, { dni_pool_id: null, category: 3 });
  expect(await held()).toEqual({ ...none, numbers_fax: 1 });
  await set(local.id, { category: 2 });
  expect(await held()).toEqual({ ...none, numbers_local: 1 });
});

test('what is stored is shown in started gigabytes, and no plan charges it', async () => {
  const { company, owner } = await app.createCompany();
  const file = (key: string, bytes: number, gone: boolean) =>
    app.services.db.unscoped
      .insertInto('file')
      .values({
        ...{ company_id: company.id, key, name: key, content_type: 'audio/wav', bytes },
        ...{ sha256: key, purpose: 'recording', ...(gone && { deleted_at: app.clock.value }) },
      })
      .execute();
  expect(await used(owner, 'storage_gb')).toMatchObject({ used: 0, overage_cents: 0 });
  await file('a', 1_200_000_000, false);
  await file('b', 5_000_000_000, true);
  expect(await used(owner, 'storage_gb')).toMatchObject({ used: 2, included: null });
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
