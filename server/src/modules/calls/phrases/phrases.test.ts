import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  callAnalytics,
  calls,
  conversations,
  outcomeRules,
  phrases as contract,
  search,
  type BodyIn,
  settings,
} from '#contract';
import { createTestNumber } from '../../../../test/support/call-harness.ts';
import { createSpokenCall } from '../../../../test/support/spoken-call.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { eraseRecording } from '../recordings/recording-retention.ts';
import { deleteHidden } from './store.ts';

const app = await createTestApp();

async function aCompany() {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id);
  const say = (
    lines: readonly string[],
    more: Partial<Parameters<typeof createSpokenCall>[2]> = {},
  ) => createSpokenCall(app, company.id, { numberId: number.id, lines, ...more });
  return { company, owner, number, say };
}
type ListIn = BodyIn<typeof contract.createPhraseList>;
const booking: ListIn = { name: 'Booking', phrases: ['book an appointment', 'schedule a*'] };
const create = (who: TestPerson, body: ListIn) =>
  app.as(who).request(contract.createPhraseList, { params: { companyId: who.companyId }, body });
const seen = async (who: TestPerson, id: number) =>
  (await app.as(who).request(calls.getCall, { params: { id } })).body.data;
const lists = async (who: TestPerson) =>
  (await app.as(who).request(contract.listPhraseLists, { params: { companyId: who.companyId } }))
    .body.data;

test('phrases are found as transcripts arrive, on the call, in search, activity and reports', async () => {
  const { company, owner, say } = await aCompany();
  const { body } = await create(owner, booking);
  const list = body.data;
  await app.drainJobs();
  const hit = await say(['agent: hello', 'client: I want to book an appointment please']);
  const miss = await say(['client: I only have a question about an appointment']);
  expect((await seen(owner, hit)).phrases).toEqual([
    {
      list: { id: list.id, name: 'Booking' },
      spoken: [
        {
          phrase: 'book an appointment',
          speaker: 2,
          start_ms: 5286,
          end_ms: 6571,
          recording: 'call',
        },
      ],
    },
  ]);
  expect((await seen(owner, miss)).phrases).toEqual([]);
  expect(await lists(owner)).toMatchObject([{ name: 'Booking', calls: 1 }]);
  const found = await app.as(owner).request(search.searchCalls, {
    query: { companyId: company.id, phrase_list_ids: [list.id] },
  });
  expect(found.body.data.map(({ call }) => call.id)).toEqual([hit]);
  const report = await app.as(owner).request(callAnalytics.analyzeCalls, {
    query: { companyId: company.id, group: 'phrase_list', tz: 'UTC' },
  });
  expect(report.body.data.map(({ label, value }) => [label, value]).toSorted()).toEqual([
    ['Booking', 1],
    ['None', 1],
  ]);
  const filtered = await app.as(owner).request(callAnalytics.analyzeCalls, {
    query: { companyId: company.id, group: 'none', tz: 'UTC', phrase_list_ids: [list.id] },
  });
  expect(filtered.body.data).toMatchObject([{ value: 1 }]);
  const activity = await app.as(owner).request(conversations.listActivity, {
    body: {
      companyId: company.id,
      groups: [[{ field: 'phrase_list', op: 'eq', value: [list.id] }]],
    },
  });
  expect(activity.status).toBe(200);
});

test('a saved list is looked for in the last 30 days; the dry run says the same beforehand and stores nothing', async () => {
  const { owner, say } = await aCompany();
  const days = (n: number) => new Date(app.clock.value.getTime() - n * 86_400_000);
  const recent = await say(['client: please book an appointment'], { startedAt: days(5) });
  const twice = await say(['agent: I schedule a visit', 'agent: then I schedule another'], {
    startedAt: days(20),
  });
  const old = await say(['client: book an appointment'], { startedAt: days(40) });
  await say(['client: no thanks'], { startedAt: days(1) });
  const tried = async (body: Partial<BodyIn<typeof contract.tryPhraseList>>) => {
    const { name: _, ...wanted } = booking;
    const answer = await app.as(owner).request(contract.tryPhraseList, {
      params: { companyId: owner.companyId },
      body: { ...wanted, ...body },
    });
    return answer.body.data;
  };
  const dry = await tried({});
  expect(dry).toMatchObject({ total: 2, is_partial: false });
  expect(dry.calls.map(({ call }) => call.id)).toEqual([recent, twice]);
  expect(dry.calls[0]?.highlights).toMatchObject([
    { field: 'transcript', snippet: 'please book an appointment', speaker: 2 },
  ]);
  expect((await tried({ said_by: 'agent', at_least: 2 })).calls.map((c) => c.call.id)).toEqual([
    twice,
  ]);
  expect((await seen(owner, recent)).phrases).toEqual([]);
  const { body } = await create(owner, booking);
  await app.drainJobs();
  expect((await seen(owner, recent)).phrases).toHaveLength(1);
  expect((await seen(owner, old)).phrases).toEqual([]);
  const change = (more: Partial<ListIn>) =>
    app.as(owner).request(contract.updatePhraseList, {
      params: { companyId: owner.companyId, listId: body.data.id },
      body: { ...booking, ...more },
    });
  expect((await change({ said_by: 'agent' })).status).toBe(200);
  await app.drainJobs();
  expect((await seen(owner, recent)).phrases).toEqual([]);
  expect((await seen(owner, twice)).phrases[0]?.spoken).toHaveLength(2);
});

test('what was redacted is never found, and what was found goes with its recording', async () => {
  const { company, owner, say } = await aCompany();
  await create(owner, { name: 'Cards', phrases: ['4242', 'card number', 'my card'] });
  const id = await say(['client: my card is 4242 4242 4242 4242 thanks']);
  expect((await seen(owner, id)).phrases[0]?.spoken.map(({ phrase }) => phrase)).toEqual([
    'my card',
  ]);
  const ctx = systemCtx(app.services, company.id, app.notifier);
  const { id: recording } = await app.services.db.systemTransaction((tx) =>
    tx
      .selectFrom('recording')
      .select('id')
      .where('company_id', '=', company.id)
      .where('call_id', '=', id)
      .executeTakeFirstOrThrow(),
  );
  await ctx.transaction((t) => eraseRecording(t, recording, 'Deleted manually.'));
  expect((await seen(owner, id)).phrases).toEqual([]);
});

test('names are unique in a company, lists belong to it, and only those who change settings change them', async () => {
  const { owner } = await aCompany();
  const other = await aCompany();
  const { body } = await create(owner, booking);
  expect((await create(owner, { ...booking, name: 'BOOKING' })).body).toMatchObject({
    code: 'phrase_list.exists',
  });
  expect((await create(other.owner, booking)).status).toBe(201);
  const foreign = await app.as(other.owner).request(contract.deletePhraseList, {
    params: { companyId: other.company.id, listId: body.data.id },
  });
  expect(foreign.status).toBe(404);
  const user = await app.createPerson(owner.companyId, 'user');
  expect((await create(user, { ...booking, name: 'Mine' })).status).toBe(403);
  expect(await lists(user)).toMatchObject([{ name: 'Booking' }]);
  const names = await app.services.db.systemTransaction((tx) =>
    sql<{ action: string }>`select action from audit_log where company_id = ${owner.companyId}
      and action like 'phrase_list.%'`.execute(tx),
  );
  expect(names.rows).toEqual([{ action: 'phrase_list.created' }]);
});

test('a deleted list is gone at once, and from its calls step by step; others stay', async () => {
  const { company, owner, say } = await aCompany();
  const other = await aCompany();
  const { id } = (await create(owner, booking)).body.data;
  await create(owner, { ...booking, name: 'Visits' });
  await create(other.owner, booking);
  const said = ['client: I want to book an appointment'];
  const ids = [await say(said), await say(said), await say(said)];
  const foreign = await other.say(said);
  const namesIn = async (who: typeof owner, call: number) =>
    (await seen(who, call)).phrases.map(({ list }) => list.name);
  const known = async () =>
    (
      await sql<{ n: number }>`select cardinality(phrase_list_ids) n from call
        where id = any(${ids}) order by n`.execute(app.services.db.unscoped)
    ).rows.map(({ n }) => n);
  expect(await known()).toEqual([2, 2, 2]);
  await app.stopJobs();
  const params = { companyId: company.id, listId: id };
  const remove = () => app.as(owner).request(contract.deletePhraseList, { params });
  expect((await remove()).status).toBe(204);
  expect((await remove()).status).toBe(404);
  for (const call of ids) expect(await namesIn(owner, call)).toEqual(['Visits']);
  expect(await lists(owner)).toMatchObject([{ name: 'Visits' }]);
  // Its name is free, and what it found isn't the new list's.
  expect((await create(owner, booking)).body.data).toMatchObject({ name: 'Booking', calls: 0 });
  const ctx = systemCtx(app.services, company.id, app.notifier);
  const step = () => ctx.transaction((t) => deleteHidden(t.tx, company.id, id, 2));
  expect(await step()).toBe(2);
  expect(await known()).toEqual([1, 1, 2]);
  await app.drainJobs();
  // The new list has looked back meanwhile.
  expect(await known()).toEqual([2, 2, 2]);
  for (const call of ids) expect(await namesIn(owner, call)).toEqual(['Booking', 'Visits']);
  const left = await sql`select from phrase_list where id = ${id}`.execute(
    app.services.db.unscoped,
  );
  expect(left.rows).toEqual([]);
  expect(await namesIn(other.owner, foreign)).toEqual(['Booking']);
});

test('rules set outcome, department and qualification, in order, and never what a person set', async () => {
  const { owner, say } = await aCompany();
  // Without the company's rule for what no other rule decides.
  const off = await app.as(owner).request(settings.updateGeneralSettings, {
    query: { company_id: owner.companyId },
    body: { qualified_rule: { is_on: false, min_duration: 60, tags: [], outcomes: [] } },
  });
  expect(off.status).toBe(200);
  const list = (await create(owner, { ...booking, said_by: 'client' })).body.data;
  const params = { companyId: owner.companyId };
  type RuleIn = BodyIn<typeof outcomeRules.createOutcomeRule>;
  const rule = (body: RuleIn) =>
    app.as(owner).request(outcomeRules.createOutcomeRule, { params, body });
  const booked: RuleIn = {
    name: 'Booked',
    phrase_list_id: list.id,
    min_talk_seconds: 60,
    sets: { outcome_tag: 'appt_booked', department: 'service', qualified: true },
  };
  await say(['client: I want to book an appointment'], { talkSeconds: 61 });
  const first = await rule(booked);
  expect(first.status).toBe(201);
  await rule({ name: 'Long', min_talk_seconds: 300, sets: { department: 'sales', lead: true } });

  const long = await say(['client: book an appointment'], { talkSeconds: 301 });
  expect(await seen(owner, long)).toMatchObject({
    outcome_tags: ['appt_booked'],
    department: 'service',
    qualified: 1,
    lead: 1,
  });
  const history = (await seen(owner, long)).history.map(({ label, detail, actor }) => [
    label,
    detail,
    actor,
  ]);
  expect(history).toEqual([
    ['Outcome changed', 'appt_booked', 'Rule “Booked”'],
    ['Department changed', 'service', 'Rule “Booked”'],
    ['Qualification changed', 'Qualified', 'Rule “Booked”'],
    ['Lead changed', 'Yes', 'Rule “Long”'],
  ]);
  const short = await say(['client: book an appointment'], { talkSeconds: 59 });
  const agent = await say(['agent: book an appointment'], { talkSeconds: 90 });
  const rough = await say(['client: book an appointment'], { engine: 'pocketsphinx (low)' });
  for (const id of [short, agent, rough])
    expect(await seen(owner, id)).toMatchObject({ outcome_tags: [], qualified: 0 });
  expect((await seen(owner, rough)).phrases).toHaveLength(1);

  await app.as(owner).request(calls.updateCall, {
    params: { id: short },
    body: { qualified: false, outcome_tags: ['opportunity'] },
  });
  await app.as(owner).request(calls.updateCall, {
    params: { id: short },
    body: { outcome_tags: [] },
  });
  const dry = await app.as(owner).request(outcomeRules.tryOutcomeRule, {
    params,
    // Without its name, which a rule that is only tried doesn't have.
    body: { ...booked, name: undefined, min_talk_seconds: 0 } as never,
  });
  expect(dry.status, JSON.stringify(dry.body)).toBe(200);
  const changes = new Map(dry.body.data.calls.map((one) => [one.call.id, one.changes]));
  // A person chose an outcome and took it away again: that is a choice, too.
  expect(changes.get(short)).toEqual(['department', 'qualified']);
  expect(dry.body.data.total).toBe(2);
  const used = await app.as(owner).request(contract.deletePhraseList, {
    params: { ...params, listId: list.id },
  });
  expect(used.body).toMatchObject({ code: 'phrase_list.used' });
  const rules = await app.as(owner).request(outcomeRules.listOutcomeRules, { params });
  expect(rules.body.data).toMatchObject([
    { name: 'Booked', set_count: 1, phrase_list: { name: 'Booking' } },
    { name: 'Long', set_count: 1 },
  ]);
});
