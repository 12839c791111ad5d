import { calls, conversations, fields } from '#contract';
import { expect, test } from 'vitest';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';

const { world: app, aCall, saidOf } = await createCallHarness();

async function aFinishedCall(times = 1) {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id, { voicemail: false });
  const ids: number[] = [];
  for (let i = 0; i < times; i++) {
    const call = aCall(number.number);
    await call.tell(call.inbound);
    await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
    ids.push(await call.id());
    app.clock.advance(5);
  }
  return { company, owner, number, ids, id: ids[0]! };
}

test('edits are stored, and the history has author, field, and values before and after', async () => {
  const { owner, id } = await aFinishedCall();
  const me = app.as(owner);
  const changed = await me.request(calls.updateCall, {
    params: { id },
    body: {
      note: 'Wants a cleaning',
      qualified: true,
      lead: true,
      outcome_tags: ['appt_booked'],
      department: 'service',
      value_cents: 12_500,
    },
  });
  expect(changed.body.data).toMatchObject({
    note: 'Wants a cleaning',
    qualified: 1,
    lead: 1,
    outcome_tags: ['appt_booked'],
    department: 'service',
    value_cents: 12_500,
  });
  expect(changed.body.data.history.filter((h) => h.actor).map((h) => h.label)).toEqual([
    'Note changed',
    'Qualification changed',
    'Lead changed',
    'Outcome changed',
    'Department changed',
    'Value changed',
  ]);
  await me.request(calls.updateCall, { params: { id }, body: { qualified: true } });
  expect(await saidOf(id, 'call.updated')).toHaveLength(1);
  const stored = await app.services.db.unscoped
    .selectFrom('call_history')
    .select(['before', 'after'])
    .where('call_id', '=', id)
    .where('label', '=', 'Note changed')
    .executeTakeFirstOrThrow();
  expect(stored).toEqual({ before: '', after: 'Wants a cleaning' });
  expect(
    (await me.request(calls.updateCall, { params: { id }, body: { department: 'moon' as never } }))
      .status,
  ).toBe(422);
  expect(
    (await me.request(calls.updateCall, { params: { id }, body: { contact_id: 12345 } })).body,
  ).toMatchObject({ errors: { contact_id: expect.any(Array) } });
});

test('custom field values are stored typed, and changes enter the history by field name', async () => {
  const { owner, id } = await aFinishedCall();
  const me = app.as(owner);
  await me.request(fields.createField, {
    params: { type: 'call' },
    body: {
      name: 'Stage',
      type: 'enum',
      choices: [
        { value: 'New', description: '' },
        { value: 'Won', description: '' },
      ],
    },
  });
  const changed = await me.request(calls.updateCall, {
    params: { id },
    body: { eavAttributeValues: [{ key: 'stage', value: 'Won' }] },
  });
  expect(changed.body.data.eavAttributeValues).toMatchObject([
    { key: 'stage', label: 'Won', source: 'user', updated_by: owner.id },
  ]);
  expect(changed.body.data.history.filter((h) => h.actor).map((h) => [h.label, h.detail])).toEqual([
    ['Stage changed', 'Won'],
  ]);
  await me.request(calls.updateCall, {
    params: { id },
    body: { eavAttributeValues: [{ key: 'stage', value: 'Won' }] },
  });
  expect(await saidOf(id, 'call.updated')).toHaveLength(1);
  expect(
    (
      await me.request(calls.updateCall, {
        params: { id },
        body: { note: 'x', eavAttributeValues: [{ key: 'stage', value: 'Lost' }] },
      })
    ).body,
  ).toMatchObject({ errors: { 'eavAttributeValues.stage': ['Choose an option from the list.'] } });
  expect((await me.request(calls.getCall, { params: { id } })).body.data.note).toBe('');
  await app.drainJobs();
  const listed = async (eav: object) =>
    (await me.request(conversations.listActivity, { body: { eav } as never })).body.data.map(
      (row) => [row.kind, row.eavAttributeValues?.[0]?.label],
    );
  expect([
    await listed({ stage: 'won' }),
    await listed({ stage: 'new' }),
    await listed({ stage: 'is:empty' }),
    await listed({ stage: ' ' }),
  ]).toEqual([[['call', 'Won']], [], [], [['call', 'Won']]]);
});

test('new tag names are created only for users who may edit the catalog', async () => {
  const { owner, company, id } = await aFinishedCall();
  const user = await app.createPerson(company.id, 'user');
  expect(
    (
      await app
        .as(user)
        .request(calls.addCallTags, { params: { id }, body: { tags: ['New patient'] } })
    ).body,
  ).toMatchObject({ errors: { tags: expect.any(Array) } });
  expect(
    (
      await app
        .as(owner)
        .request(calls.addCallTags, { params: { id }, body: { tags: ['New patient', 'Urgent'] } })
    ).body.data.tags.map((t) => t.name),
  ).toEqual(['New patient', 'Urgent']);
  expect(
    (
      await app
        .as(user)
        .request(calls.addCallTags, { params: { id }, body: { tags: ['new PATIENT'] } })
    ).body.data.tags,
  ).toHaveLength(2);
  expect(
    (
      await app
        .as(user)
        .request(calls.removeCallTags, { params: { id }, body: { tags: ['urgent', 'never was'] } })
    ).body.data.tags.map((t) => t.name),
  ).toEqual(['New patient']);
});

test('calls of other numbers and other companies are not found', async () => {
  const { company, number, id } = await aFinishedCall();
  const other = await createTestNumber(app, company.id, {});
  const limited = await app.createPerson(company.id, 'user', [other.id]);
  const allowed = await app.createPerson(company.id, 'reporting', [number.id]);
  const outsider = (await app.createCompany()).owner;
  expect((await app.as(limited).request(calls.getCall, { params: { id } })).status).toBe(404);
  expect(
    (await app.as(limited).request(calls.updateCall, { params: { id }, body: { note: 'x' } }))
      .status,
  ).toBe(404);
  expect(
    (await app.as(limited).request(calls.addCallTags, { params: { id }, body: { tags: ['x'] } }))
      .status,
  ).toBe(404);
  expect((await app.as(outsider).request(calls.getCall, { params: { id } })).status).toBe(404);
  expect((await app.as(allowed).request(calls.getCall, { params: { id } })).status).toBe(200);
  expect((await app.as(allowed).request(calls.deleteRecording, { params: { id } })).status).toBe(
    403,
  );
  expect((await app.as(null).request(calls.getCall, { params: { id } })).status).toBe(401);
});

test('identity lookup reports a missing provider; adjacent calls lead through the list', async () => {
  const { owner, ids } = await aFinishedCall(3);
  const me = app.as(owner);
  const looked = await me.request(calls.lookUpCaller, { params: { id: ids[1]! } });
  expect([looked.status, (looked.body as unknown as { code: string }).code]).toEqual([
    409,
    'lookup.not_configured',
  ]);
  expect((await me.request(calls.neighboursOfCall, { params: { id: ids[1]! } })).body.data).toEqual(
    {
      newer: ids[2],
      older: ids[0],
    },
  );
  expect((await me.request(calls.neighboursOfCall, { params: { id: ids[0]! } })).body.data).toEqual(
    {
      newer: ids[1],
      older: null,
    },
  );
});
