import { expect, test } from 'vitest';
import { contacts as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { optIn, optOut } from '../compliance/index.ts';
import { findOrCreateContact } from './find-or-create-contact.ts';

const app = await createTestApp();
const ctx = (companyId: number) => systemCtx(app.services, companyId, app.notifier);
const make = (companyId: number, number: string) =>
  ctx(companyId).transaction((t) => findOrCreateContact(t, number));
const patch = (who: TestPerson, contactId: number, body: Record<string, unknown>) =>
  app.as(who).request(contract.updateContact, { params: { contactId }, body });
const get = (who: TestPerson, contactId: number) =>
  app.as(who).request(contract.getContact, { params: { contactId } });

test('a number has one contact, also when many requests create it at once', async () => {
  const { company } = await app.createCompany();
  const all = await Promise.all(Array.from({ length: 8 }, () => make(company.id, '+12125550147')));
  expect(new Set(all.map((c) => c!.id)).size).toBe(1);
  expect(await make(company.id, 'anonymous')).toBeNull();
});

test('an update changes only the fields sent, and a number belongs to one contact', async () => {
  const { company, owner } = await app.createCompany();
  const [dana, eve] = [
    await make(company.id, '+12125550147'),
    await make(company.id, '+12125550148'),
  ];
  expect(
    await patch(owner, dana!.id, {
      name: 'Dana Reed',
      email: 'dana@example.com',
      notes: 'Prefers mornings.',
      companyName: 'Reed & Co',
    }),
  ).toMatchObject({
    status: 200,
    body: {
      data: {
        name: 'Dana Reed',
        email: 'dana@example.com',
        companyName: 'Reed & Co',
        number: '+12125550147',
        isUnsubscribed: false,
      },
    },
  });
  expect((await patch(owner, dana!.id, { number: '(212) 555-0148' })).status).toBe(409);
  expect((await patch(owner, dana!.id, { number: '212-555-0149' })).body.data.number).toBe(
    '+12125550149',
  );
  expect((await patch(owner, eve!.id, { email: 'not one' })).status).toBe(422);
  const other = await app.createCompany();
  expect([
    (await get(other.owner, dana!.id)).status,
    (await patch(other.owner, dana!.id, { name: 'x' })).status,
  ]).toEqual([404, 404]);
});

test('an opt-out belongs to the number: a contact gets and loses it with the number', async () => {
  const { company, owner } = await app.createCompany();
  const asked = (number: string) => ({
    number,
    source: 'manual' as const,
    numberId: null,
    proof: null,
  });
  await ctx(company.id).transaction((t) => optOut(t, asked('+12125550150')));
  const later = await make(company.id, '+12125550150');
  await app.drainJobs();
  expect((await get(owner, later!.id)).body.data.isUnsubscribed).toBe(true);
  await patch(owner, later!.id, { number: '+12125550151' });
  await app.drainJobs();
  expect((await get(owner, later!.id)).body.data.isUnsubscribed).toBe(false);
  await patch(owner, later!.id, { number: '+12125550150' });
  await app.drainJobs();
  await ctx(company.id).transaction((t) => optIn(t, asked('+12125550150')));
  await app.drainJobs();
  expect((await get(owner, later!.id)).body.data.isUnsubscribed).toBe(false);
});

test('users who can’t see details see masked values and can’t overwrite them', async () => {
  const { company, owner } = await app.createCompany();
  const user = await app.createPerson(company.id, 'user');
  const dana = await make(company.id, '+12125550160');
  await patch(owner, dana!.id, { email: 'dana@example.com' });
  await app.services.db.transaction({ companyId: company.id }, (tx) =>
    tx
      .updateTable('company')
      .set({ settings: { mask_contact_details_for_users: true } })
      .where('id', '=', company.id)
      .execute(),
  );
  expect((await get(user, dana!.id)).body.data).toMatchObject({
    masked: true,
    email: 'd•••@example.com',
    number: '+1212•••60',
  });
  expect((await patch(user, dana!.id, { email: 'x@example.com' })).status).toBe(403);
  expect((await patch(user, dana!.id, { name: 'Dana' })).status).toBe(200);
});
