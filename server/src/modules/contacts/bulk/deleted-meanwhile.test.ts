import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { contacts, fields, groups } from '#contract';
import { createTestApp } from '../../../../test/support/test-app.ts';

const app = await createTestApp();

/** A company with more contacts than a bulk call does at once. */
async function crowd() {
  const { company, owner } = await app.createCompany();
  const me = app.as(owner);
  for (const from of [0, 1000]) {
    const many = Array.from({ length: from ? 50 : 1000 }, (_, i) => ({
      name: 'Twenty',
      number: `+1212555${String(from + i).padStart(4, '0')}`,
    }));
    expect(
      (
        await me.request(contacts.putContacts, {
          params: { companyId: company.id },
          body: { contacts: many },
        })
      ).status,
    ).toBeLessThan(300);
  }
  await app.drainJobs();
  await app.stopJobs();
  return { company, me };
}

test('a label deleted between the check and the write of a step ends the job the same way', async () => {
  const { company, me } = await crowd();
  const params = { companyId: company.id };
  const label = (await me.request(groups.createContactLabel, { params, body: { label: 'Gone' } }))
    .body.data;
  const started = await me.request(groups.bulkAddLabel, {
    params: { ...params, labelId: label.id },
    body: { all: true, filters: { search: 'Twenty' } },
  });
  let drained: Promise<unknown> = Promise.resolve();
  await app.services.db.systemTransaction(async (tx) => {
    // The step checks the label, then waits here to write.
    await sql`lock table contact_label_use in exclusive mode`.execute(tx);
    drained = app.drainJobs();
    const waits = async () =>
      (
        await app.services.db.pool.query(
          `select from pg_locks where not granted and relation = 'contact_label_use'::regclass`,
        )
      ).rowCount;
    await expect.poll(waits, { timeout: 20_000 }).toBeGreaterThan(0);
    await tx.deleteFrom('contact_label').where('id', '=', label.id).execute();
  });
  await drained;
  const batch = await app.services.db.transaction({ companyId: company.id }, (tx) =>
    tx
      .selectFrom('batch')
      .selectAll()
      .where('id', '=', started.body.data.batchId)
      .executeTakeFirstOrThrow(),
  );
  expect([batch.finished_at !== null, batch.failed]).toEqual([true, 1050]);
  expect(JSON.stringify(batch.errors)).toContain('The label was deleted');
});

test('a bulk job whose label, group or filtered field was deleted ends with the reason', async () => {
  const { company, me } = await crowd();
  const label = (
    await me.request(groups.createContactLabel, {
      params: { companyId: company.id },
      body: { label: 'VIP' },
    })
  ).body.data;
  const group = (await me.request(groups.createGroup, { body: { name: 'Regulars' } })).body.data;
  const field = (
    await me.request(fields.createField, {
      params: { type: 'contact' },
      body: { company_id: company.id, name: 'Stage', type: 'stringText' },
    })
  ).body.data;
  const params = { companyId: company.id };
  const labelled = (
    await me.request(groups.bulkAddLabel, {
      params: { ...params, labelId: label.id },
      body: { all: true, filters: { search: 'Twenty' } },
    })
  ).body.data;
  const grouped = (
    await me.request(groups.addToGroup, { params: { id: group.id }, body: { all: true } })
  ).body.data;
  const destroyed = (
    await me.request(contacts.bulkDestroyContacts, {
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
    (await me.request(groups.deleteContactLabel, { params: { ...params, labelId: label.id } }))
      .status,
  ).toBe(204);
  expect((await me.request(groups.deleteGroup, { params: { id: group.id } })).status).toBe(204);
  expect(
    (
      await me.request(fields.deleteField, {
        params: { id: field.id },
        query: { company_id: company.id },
      })
    ).status,
  ).toBeLessThan(300);
  await app.drainJobs();
  for (const [batchId, message] of [
    [labelled.batchId, 'The label was deleted'],
    [grouped.batchId, 'The group was deleted'],
    [destroyed.batchId, 'The custom field in the filter was deleted'],
  ] as const) {
    const batch = await app.services.db.transaction({ companyId: company.id }, (tx) =>
      tx.selectFrom('batch').selectAll().where('id', '=', batchId).executeTakeFirstOrThrow(),
    );
    expect([batch.finished_at !== null, batch.processed, batch.failed]).toEqual([true, 1050, 1050]);
    expect(JSON.stringify(batch.errors)).toContain(message);
  }
  expect((await me.request(contacts.countContacts, { params, body: {} })).body.data.total).toBe(
    1050,
  );
});
