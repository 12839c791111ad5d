import { expect, test } from 'vitest';
import { contacts, fields, groups } from '#contract';
import { aWorld } from '../../../../test/world.ts';

const world = await aWorld();

/** A company with more contacts than a bulk call does at once. */
async function crowd() {
  const { company, owner } = await world.company();
  const me = world.as(owner);
  for (const from of [0, 1000]) {
    const many = Array.from({ length: from ? 50 : 1000 }, (_, i) => ({
      name: 'Twenty',
      number: `+1212555${String(from + i).padStart(4, '0')}`,
    }));
    expect(
      (
        await me.ask(contacts.putContacts, {
          params: { companyId: company.id },
          body: { contacts: many },
        })
      ).status,
    ).toBeLessThan(300);
  }
  await world.settle();
  await world.rest();
  return { company, me };
}

test('a job on many whose label, group or filtered field was deleted ends, and says why', async () => {
  const { company, me } = await crowd();
  const label = (
    await me.ask(groups.createContactLabel, {
      params: { companyId: company.id },
      body: { label: 'VIP' },
    })
  ).body.data;
  const group = (await me.ask(groups.createGroup, { body: { name: 'Regulars' } })).body.data;
  const field = (
    await me.ask(fields.createField, {
      params: { type: 'contact' },
      body: { company_id: company.id, name: 'Stage', type: 'stringText' },
    })
  ).body.data;
  const params = { companyId: company.id };
  const labelled = (
    await me.ask(groups.bulkAddLabel, {
      params: { ...params, labelId: label.id },
      body: { all: true, filters: { search: 'Twenty' } },
    })
  ).body.data;
  const grouped = (
    await me.ask(groups.addToGroup, { params: { id: group.id }, body: { all: true } })
  ).body.data;
  const destroyed = (
    await me.ask(contacts.bulkDestroyContacts, {
      params,
      body: { all: true, filters: { eav: { stage: 'is:empty' } } },
    })
  ).body.data;
  expect([labelled.status, grouped.status, destroyed.status]).toEqual([
    'queued',
    'queued',
    'queued',
  ]);
  expect(
    (await me.ask(groups.deleteContactLabel, { params: { ...params, labelId: label.id } })).status,
  ).toBe(204);
  expect((await me.ask(groups.deleteGroup, { params: { id: group.id } })).status).toBe(204);
  expect(
    (
      await me.ask(fields.deleteField, {
        params: { id: field.id },
        query: { company_id: company.id },
      })
    ).status,
  ).toBeLessThan(300);
  await world.settle();
  for (const [batchId, message] of [
    [labelled.batchId, 'The label was deleted'],
    [grouped.batchId, 'The group was deleted'],
    [destroyed.batchId, 'The custom field of the filter was deleted'],
  ] as const) {
    const batch = await world.house.db.within({ companyId: company.id }, (tx) =>
      tx.selectFrom('batch').selectAll().where('id', '=', batchId).executeTakeFirstOrThrow(),
    );
    expect([batch.finished_at !== null, batch.processed, batch.failed]).toEqual([true, 1050, 1050]);
    expect(JSON.stringify(batch.errors)).toContain(message);
  }
  expect(
    (await me.ask(contacts.countContacts, { params, body: {} } as never)).body.data.total,
  ).toBe(1050);
});
