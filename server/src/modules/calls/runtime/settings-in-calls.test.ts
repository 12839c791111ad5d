import { afterAll, expect, test } from 'vitest';
import { calls, contacts, features, numbers, routing, schedules, settings } from '#contract';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';

const line = await createCallHarness();
const { world: app } = line;
afterAll(() => app.stopJobs());

const destination = '+12125550191';
const set = async (who: TestPerson, values: object): Promise<void> => {
  const { status, body } = await app.as(who).request(settings.updateGeneralSettings, {
    query: { company_id: who.companyId },
    body: values,
  });
  expect(status, JSON.stringify(body)).toBe(200);
};
/** A company whose number rings one phone. */
async function aCompany(more: Parameters<typeof createTestNumber>[2] = {}) {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id, {
    routes: [{ type: 'standard', to: [destination] }],
    ...more,
  });
  return { company, owner, number };
}
/** A call from this caller, and what its simulation foretells. */
async function callFrom(who: TestPerson, number: { id: number; number: string }, from: string) {
  const call = line.aCall(number.number, from);
  await call.tell(call.inbound);
  const { body } = await app.as(who).request(routing.simulateNumber, {
    params: { id: number.id },
    body: { from: from === 'anonymous' ? '' : from, pressed: [], answers: 'answers' },
  });
  return {
    call,
    rejected: line.commands(call, 'reject').length > 0,
    asked: line.commands(call, 'gather').length,
    rung: line.commands(call, 'createLeg').length > 0,
    said: JSON.stringify(line.commands(call, 'play')),
    foretold: body.data.steps.find(({ node }) => node === 'screen')?.because ?? null,
  };
}
const press = (call: ReturnType<typeof line.aCall>, digits: string) =>
  call.says(call.leg, {
    type: 'promptEnded',
    commandId: line.commands(call, 'gather').at(-1)!.id,
    reason: digits ? 'digits' : 'timeout',
    digits,
  });

test('a caller whose call was marked as spam is rejected in that company only, unless a contact', async () => {
  const [a, b] = [await aCompany(), await aCompany()];
  const caller = '+12125550163';
  const first = await callFrom(a.owner, a.number, caller);
  expect(first).toMatchObject({ rejected: false, rung: true, foretold: null });
  const id = await first.call.id();
  const mark = (spam: 0 | 1) =>
    app.as(a.owner).request(calls.updateCall, { params: { id }, body: { spam } });
  expect((await mark(1)).status).toBe(200);
  const second = await callFrom(a.owner, a.number, caller);
  expect(second).toMatchObject({
    rejected: true,
    rung: false,
    foretold: 'An earlier call of this caller was marked as spam.',
  });
  expect(
    (await app.as(a.owner).request(calls.getCall, { params: { id: await second.call.id() } })).body
      .data,
  ).toMatchObject({ status: 13 });
  expect(await callFrom(b.owner, b.number, caller)).toMatchObject({ rejected: false, rung: true });
  await set(a.owner, { spam_screening: 'off' });
  expect(await callFrom(a.owner, a.number, caller)).toMatchObject({ rung: true });
  await set(a.owner, { spam_screening: null });
  await mark(0);
  expect(await callFrom(a.owner, a.number, caller)).toMatchObject({ rung: true });
  await mark(1);
  await app.as(a.owner).request(contacts.createContact, {
    body: { company_id: a.company.id, name: 'Vera Vendor', number: caller },
  });
  expect(await callFrom(a.owner, a.number, caller)).toMatchObject({ rejected: false, rung: true });
});

test('unknown callers press 1, contacts don’t; without the key no one is rung', async () => {
  const { company, owner, number } = await aCompany();
  await set(owner, { spam_screening: 'press_1' });
  const unknown = await callFrom(owner, number, '+12125550164');
  expect(unknown).toMatchObject({ asked: 1, rung: false });
  expect(JSON.stringify(line.commands(unknown.call, 'gather'))).toContain(
    'To connect your call, press 1.',
  );
  await press(unknown.call, '1');
  expect(line.commands(unknown.call, 'createLeg')).toHaveLength(1);

  const machine = await callFrom(owner, number, 'anonymous');
  await press(machine.call, '');
  await press(machine.call, '7');
  expect(line.commands(machine.call, 'gather')).toHaveLength(2);
  expect(line.commands(machine.call, 'createLeg')).toEqual([]);
  expect(JSON.stringify(line.commands(machine.call, 'play'))).toContain('Goodbye.');

  await app.as(owner).request(contacts.createContact, {
    body: { company_id: company.id, name: 'Carl Customer', number: '+12125550165' },
  });
  expect(await callFrom(owner, number, '+12125550165')).toMatchObject({ asked: 0, rung: true });
  // The plan or a switch may take screening away.
  await app.as(owner).request(features.setCompanyFeature, {
    params: { companyId: company.id, featureName: 'spam-screening' },
    body: { enabled: false },
  });
  expect(await callFrom(owner, number, '+12125550166')).toMatchObject({ asked: 0, rung: true });
});

test('withheld numbers are rejected where the company says so, and only they', async () => {
  const { owner, number } = await aCompany();
  expect(await callFrom(owner, number, 'anonymous')).toMatchObject({ rung: true });
  await set(owner, { block_anonymous: true });
  expect(await callFrom(owner, number, 'anonymous')).toMatchObject({
    rejected: true,
    foretold: 'Callers who withhold their number are rejected.',
  });
  expect(await callFrom(owner, number, '+12125550198')).toMatchObject({ rung: true });
});

test('callers from states where everyone must consent hear that the call is recorded', async () => {
  const { owner, number } = await aCompany({ record: true });
  const [losAngeles, newYork] = ['+12135550163', '+12125550163'];
  const recorded = expect.stringContaining('This call may be recorded.');
  expect((await callFrom(owner, number, losAngeles)).said).toEqual(recorded);
  expect((await callFrom(owner, number, newYork)).said).not.toEqual(recorded);
  await set(owner, { two_party_consent_states_force_announcement: false });
  expect((await callFrom(owner, number, losAngeles)).said).not.toEqual(recorded);
});

test('new numbers follow the company’s hours and its holidays, special days first', async () => {
  const { company, owner } = await app.createCompany();
  const stranger = await app.createCompany();
  const saved = await app.as(owner).request(schedules.saveSchedule, {
    params: { companyId: company.id },
    body: { timezone: 'America/New_York', preset: 2 },
  });
  const scheduleId = saved.body.data.id!;
  const other = await app.as(stranger.owner).request(settings.updateGeneralSettings, {
    query: { company_id: stranger.company.id },
    body: { business_hours_schedule_id: scheduleId },
  });
  expect(other.status).toBe(422);
  expect(JSON.stringify(other.body)).toContain('This schedule doesn’t exist.');
  await set(owner, { business_hours_schedule_id: scheduleId });
  const bought = await app
    .as(owner)
    .request(numbers.buyNumbers, { body: { numbers: ['+17185554177'] } });
  const [number] = (bought.body as { data: { id: number; number: string }[] }).data;
  const hoursAt = async (at: string) => {
    const { body } = await app.as(owner).request(routing.simulateNumber, {
      params: { id: number!.id },
      body: { from: '+12125550147', pressed: [], answers: 'answers', at },
    });
    return body.data.steps.find(({ node }) => node === 'hours')?.because;
  };
  const thanksgiving = '2026-11-26T15:00:00Z';
  expect(await hoursAt('2026-11-25T02:00:00Z')).toMatch(/^Closed at Tue 9:00 PM/);
  expect(await hoursAt(thanksgiving)).toMatch(/^Open at Thu 10:00 AM/);
  await set(owner, { holiday_calendar: 'us_federal' });
  expect(await hoursAt(thanksgiving)).toMatch(/^Closed at Thu 10:00 AM.*: Thanksgiving Day\.$/);
  // July 4 of 2026 is a Saturday, so Friday is closed.
  expect(await hoursAt('2026-07-03T15:00:00Z')).toContain('Independence Day');
  const shown = await app
    .as(owner)
    .request(schedules.getSchedule, { params: { companyId: company.id } });
  expect(shown.body.data.holidays).toHaveLength(11);
  await app.as(owner).request(schedules.saveSchedule, {
    params: { companyId: company.id },
    body: {
      exceptions: [
        {
          from: '2026-11-26',
          to: '2026-11-26',
          label: 'Open for orders',
          times: [{ start: '08:00', end: '12:00' }],
        },
      ],
    },
  });
  expect(await hoursAt(thanksgiving)).toMatch(/^Open at Thu 10:00 AM/);
});

/** An answered call of so many seconds, and what its record says when everything ran. */
async function talkedCall(
  who: TestPerson,
  number: { number: string },
  { from, seconds }: { from: string; seconds: number },
) {
  const call = line.aCall(number.number, from);
  await call.tell(call.inbound);
  const [leg] = line.commands(call, 'createLeg');
  await call.says(leg!.leg, { type: 'legAnswered' });
  app.clock.advance(seconds);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await app.drainJobs();
  const id = await call.id();
  const read = async () => (await app.as(who).request(calls.getCall, { params: { id } })).body.data;
  return { id, read };
}

test('inbound calls of a minute are qualified, once within the time that the company sets', async () => {
  const { owner, number } = await aCompany();
  const from = '+12125550163';
  const short = await talkedCall(owner, number, { from, seconds: 59 });
  const long = await talkedCall(owner, number, { from, seconds: 60 });
  expect([(await short.read()).qualified, (await long.read()).qualified]).toEqual([0, 1]);
  expect((await long.read()).history).toContainEqual(
    expect.objectContaining({ actor: 'Rule “Qualified calls”', detail: 'Qualified' }),
  );
  await set(owner, { duplicate_caller_minutes: 30 });
  const again = await talkedCall(owner, number, { from, seconds: 90 });
  expect((await again.read()).qualified).toBe(0);
  app.clock.advance(31 * 60);
  const later = await talkedCall(owner, number, { from, seconds: 90 });
  expect((await later.read()).qualified).toBe(1);
  await set(owner, { qualified_rule: { is_on: false, min_duration: 0, tags: [], outcomes: [] } });
  const off = await talkedCall(owner, number, { from: '+12125550164', seconds: 90 });
  expect((await off.read()).qualified).toBe(0);
});

test('a call qualifies with the tag and outcome that the company names, unless a person decided', async () => {
  const { owner, number } = await aCompany();
  const call = await talkedCall(owner, number, { from: '+12125550163', seconds: 5 });
  const tag = (id: number, name: string) =>
    app.as(owner).request(calls.addCallTags, { params: { id }, body: { tags: [name] } });
  const tagId = (await tag(call.id, 'Estimate')).body.data.tags[0]!.id;
  await set(owner, {
    qualified_rule: { is_on: true, min_duration: 0, tags: [tagId], outcomes: ['appt_booked'] },
  });
  const next = await talkedCall(owner, number, { from: '+12125550164', seconds: 5 });
  await tag(next.id, 'Estimate');
  expect((await next.read()).qualified).toBe(0);
  const outcome = (id: number) =>
    app.as(owner).request(calls.updateCall, {
      params: { id },
      body: { outcome_tags: ['appt_booked'] },
    });
  await outcome(next.id);
  expect((await next.read()).qualified).toBe(1);
  const decide = (qualified: boolean) =>
    app.as(owner).request(calls.updateCall, { params: { id: call.id }, body: { qualified } });
  await decide(true);
  await decide(false);
  await outcome(call.id);
  expect((await call.read()).qualified).toBe(0);
});

test('a caller is new again after the days that the company sets', async () => {
  const { owner, number } = await aCompany();
  const from = '+12125550165';
  const firsts: boolean[] = [];
  const ring = async () => {
    const call = line.aCall(number.number, from);
    await call.tell(call.inbound);
    const { body } = await app
      .as(owner)
      .request(calls.getCall, { params: { id: await call.id() } });
    firsts.push(body.data.first_contact);
  };
  await ring();
  app.clock.advance(8 * 86_400);
  await ring();
  await set(owner, { first_contact_window_days: 7 });
  app.clock.advance(8 * 86_400);
  await ring();
  app.clock.advance(6 * 86_400);
  await ring();
  expect(firsts).toEqual([true, false, true, false]);
});

test('new callers are looked up where the company wants it; contacts and others aren’t', async () => {
  const { company, owner, number } = await aCompany();
  const lookedUp = async () =>
    (
      await app.services.db.transaction({ companyId: company.id }, (tx) =>
        tx
          .selectFrom('caller_lookup')
          .select('number')
          .where('company_id', '=', company.id)
          .orderBy('at')
          .execute(),
      )
    ).map((row) => row.number);
  const ring = async (from: string): Promise<void> => {
    const call = line.aCall(number.number, from);
    await call.tell(call.inbound);
    await app.drainJobs();
  };
  await ring('+12125550163');
  expect(await lookedUp()).toEqual([]);
  await set(owner, { enhanced_caller_id_auto: true });
  // No service is connected in tests: answers come from the built-in one.
  await app.services.db.pool.query(
    `update company set settings = settings || '{"test_mode": true}' where id = $1`,
    [company.id],
  );
  await app.as(owner).request(contacts.createContact, {
    body: { company_id: company.id, name: 'Known Person', number: '+12125550164' },
  });
  await ring('+12125550164');
  await ring('anonymous');
  await ring('+12125550165');
  await ring('+12125550165');
  expect(await lookedUp()).toEqual(['+12125550165']);
});
