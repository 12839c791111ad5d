import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { monitoring as contract, organizations } from '#contract';
import { alertKindNames, type AlertKind } from '#contract/monitoring/rules';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { inboxHelpers } from '../../../test/support/inbox.ts';
import { checkCompany } from './check-company.ts';
import { startDueChecks } from './jobs.ts';
import { takeDueCompanies } from './store-checks.ts';
import { systemCtx } from '../../platform/context.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const { db } = app.services;
const now = () => app.clock.value;
const minutesAgo = (n: number): Date => new Date(now().getTime() - n * 60_000);
const check = (companyId: number, ...kinds: AlertKind[]) =>
  systemCtx(app.services, companyId, app.notifier).transaction((t) => checkCompany(t, kinds));
const alerts = async (who: TestPerson, query: Record<string, unknown> = {}) =>
  (
    await app
      .as(who)
      .request(contract.listAlerts, { query: { company_id: who.companyId, ...query } })
  ).body.data;
const update = (who: TestPerson, id: number, body: Record<string, unknown>) =>
  app.as(who).request(contract.updateAlert, { params: { id }, body });
let party = 1000;
/** Ended incoming calls to a number. */
async function calls(
  companyId: number,
  numberId: number,
  count: number,
  { outcome = 1, talk = 60, at = minutesAgo(5), spam = false } = {},
) {
  for (let n = 0; n < count; n++)
    await sql`insert into call (company_id, number_id, outbound, carrier, from_number, to_number,
        party, status, outcome, started_at, ended_at, talk_seconds, duration_seconds, spam,
        created_at, updated_at)
      values (${companyId}, ${numberId}, false, 'sandbox', ${`+1212555${party}`}, '+14155550100',
        ${`+1212555${party++}`}, 1, ${outcome}, ${at}, ${at}, ${talk}, ${talk}, ${spam}, ${at},
        ${at})`.execute(db.unscoped);
}
/** Figures of the hours of some days, as the triggers would have added them up. */
const figures = (
  companyId: number,
  numberId: number,
  rows: readonly { at: Date; calls: number; missed?: number }[],
) =>
  sql`insert into figure_hour (company_id, number_id, hour, calls, missed)
    select ${companyId}, ${numberId}, date_trunc('hour', r.at), r.calls, r.missed
    from unnest(${rows.map((r) => r.at)}::timestamptz[], ${rows.map((r) => r.calls)}::int[],
      ${rows.map((r) => r.missed ?? 0)}::int[]) r (at, calls, missed)`.execute(db.unscoped);
const hoursAgo = (n: number): Date => new Date(now().getTime() - n * 3_600_000);

describe('the life of an alert', () => {
  test('opens once, counts what is found again, and resolves after two checks that find nothing', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    await calls(company.id, number.id, 5, { talk: 3 });
    await check(company.id, 'short_calls');
    await check(company.id, 'short_calls');
    const [open, ...more] = await alerts(owner);
    expect(more).toEqual([]);
    const events = await db.unscoped
      .selectFrom('outbox')
      .select('event')
      .where('company_id', '=', company.id)
      .where('event', 'like', 'alert-%')
      .execute();
    expect(events.map(({ event }) => event)).toEqual(['alert-opened']);
    expect(open).toMatchObject({
      kind: 'short_calls',
      severity: 'warning',
      state: 'open',
      subject: { type: 'number', id: number.id, label: 'Main line' },
      message: '5 calls were answered and ended within 10 seconds.',
      metric: { value: 5, threshold: 5 },
      occurrences: 2,
      suggestions: [{ link: `/numbers/${number.id}/flow` }],
    });
    app.clock.value = new Date(now().getTime() + 20 * 60_000);
    await check(company.id, 'short_calls');
    expect((await alerts(owner))[0]).toMatchObject({ state: 'open' });
    await check(company.id, 'short_calls');
    expect((await alerts(owner))[0]).toMatchObject({ state: 'resolved', resolved_by: null });
    const history = await app
      .as(owner)
      .request(contract.listAlertHistory, { params: { id: open!.id } });
    expect(history.body.data.map(({ from, to, actor }) => [from, to, actor])).toEqual([
      ['open', 'resolved', null],
      [null, 'open', null],
    ]);
    // The same trouble later is a new alert.
    await calls(company.id, number.id, 5, { talk: 3 });
    await check(company.id, 'short_calls');
    expect((await alerts(owner)).map(({ state }) => state)).toEqual(['open', 'resolved']);
  });

  test('dismissed as not relevant it stays away for 30 days; for another reason it comes back', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const begun = now();
    const again = async () => {
      await calls(company.id, number.id, 5, { talk: 3 });
      await check(company.id, 'short_calls');
      return (await alerts(owner, { state: 'open' }))[0]?.id;
    };
    const first = (await again())!;
    expect((await update(owner, first, { state: 'dismissed' })).status).toBe(422);
    expect((await update(owner, first, { state: 'dismissed', reason: 'other' })).status).toBe(422);
    await update(owner, first, { state: 'dismissed', reason: 'duplicate' });
    const second = (await again())!;
    expect(second).not.toBe(first);
    const dismissed = await update(owner, second, { state: 'dismissed', reason: 'not-relevant' });
    expect(dismissed.body.data).toMatchObject({
      state: 'dismissed',
      reason: 'not-relevant',
      resolved_by: { id: owner.id },
    });
    expect(await again()).toBeUndefined();
    app.clock.value = new Date(begun.getTime() + 29 * 86_400_000);
    expect(await again()).toBeUndefined();
    app.clock.value = new Date(begun.getTime() + 31 * 86_400_000);
    expect(await again()).toBeDefined();
    expect((await update(owner, second, { state: 'open' })).status).toBe(409);
  });

  test('acknowledged it stays one alert; a comment is kept with who wrote it', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    await calls(company.id, number.id, 5, { talk: 3 });
    await check(company.id, 'short_calls');
    const id = (await alerts(owner))[0]!.id;
    await update(owner, id, { state: 'acknowledged', comment: 'Una is looking at it' });
    await check(company.id, 'short_calls');
    expect(await alerts(owner)).toMatchObject([
      { state: 'acknowledged', comment: 'Una is looking at it', occurrences: 2 },
    ]);
    const counts = await app
      .as(owner)
      .request(contract.countAlerts, { query: { company_id: company.id } });
    expect(counts.body.data).toMatchObject({ open: 0, acknowledged: 1, byKind: {} });
  });
});

describe('several at once, and the chart of one', () => {
  test('several alerts are dismissed together; closed ones stay, and one that isn’t theirs stops all', async () => {
    const { company, owner } = await app.createCompany();
    const other = await app.createCompany();
    const viewer = await app.createPerson(company.id, 'reporting');
    for (const { id } of [company, company, other.company]) {
      const number = await inbox.number(id);
      await calls(id, number.id, 5, { talk: 3 });
      await check(id, 'short_calls');
    }
    const [first, second] = await alerts(owner);
    const [foreign] = await alerts(other.owner);
    const all = (who: TestPerson, ids: number[], body: Record<string, unknown>) =>
      app
        .as(who)
        .request(contract.updateAlerts, { body: { company_id: company.id, ids, ...body } });
    const dismissal = { state: 'dismissed', reason: 'other' };
    const ids = [first!.id, second!.id];
    expect((await all(owner, ids, dismissal)).status).toBe(422);
    expect((await all(owner, [], { state: 'acknowledged' })).status).toBe(422);
    expect((await all(viewer, ids, { state: 'acknowledged' })).status).toBe(403);
    expect((await all(owner, [...ids, foreign!.id], { state: 'acknowledged' })).status).toBe(404);
    expect((await alerts(owner, { state: 'open' })).length).toBe(2);
    await update(owner, first!.id, { state: 'resolved' });
    const done = await all(owner, ids, { ...dismissal, comment: 'A test line' });
    expect(done.body.data).toEqual({ updated: [second!.id], closed: [first!.id] });
    expect(await alerts(owner, { state: 'dismissed' })).toMatchObject([
      { id: second!.id, reason: 'other', comment: 'A test line' },
    ]);
    expect(await alerts(owner, { state: 'resolved' })).toMatchObject([
      { id: first!.id, comment: null },
    ]);
    expect(await alerts(other.owner)).toMatchObject([{ state: 'open' }]);
  });

  test('an alert shows what it measured each time that changed', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    for (const count of [5, 0, 2]) {
      await calls(company.id, number.id, count, { talk: 3 });
      await check(company.id, 'short_calls');
      app.clock.advance(60);
    }
    const { id } = (await alerts(owner))[0]!;
    const { data } = (await app.as(owner).request(contract.getAlert, { params: { id } })).body;
    expect(data.samples.map(({ value }) => value)).toEqual([5, 7]);
    expect(data.samples[0]?.at).toBe(data.first_seen_at);
  });
});

describe('each kind fires, and a quiet small company hears nothing', () => {
  test('a quiet company has no alert of any kind', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    await calls(company.id, number.id, 3, { outcome: 2, talk: 0 });
    await inbox.text('+12125559901', number.number, 'Hello');
    await check(company.id, ...alertKindNames);
    expect(await alerts(owner)).toEqual([]);
  });

  test('missed calls: at least 40 % of ten or more today', async () => {
    const { company, owner } = await app.createCompany();
    await figures(company.id, 0, [{ at: now(), calls: 9, missed: 9 }]);
    await check(company.id, 'missed_rate_high');
    expect(await alerts(owner)).toEqual([]);
    await sql`update figure_hour set calls = 10, missed = 4 where company_id = ${company.id}`.execute(
      db.unscoped,
    );
    await check(company.id, 'missed_rate_high');
    expect(await alerts(owner)).toMatchObject([
      { message: '4 of 10 calls today were missed.', metric: { value: 40, threshold: 40 } },
    ]);
  });

  test('far fewer and far more calls than in the same hour of eight weeks', async () => {
    const usual = async (last: number) => {
      const { company, owner } = await app.createCompany();
      const lastHour = hoursAgo(1);
      await figures(
        company.id,
        0,
        Array.from({ length: 9 }, (_, week) => ({
          at: new Date(lastHour.getTime() - week * 7 * 86_400_000),
          calls: week === 0 ? last : 20 + (week % 3),
        })).concat({ at: new Date(lastHour.getTime() - 60 * 86_400_000), calls: 1 }),
      );
      await check(company.id, 'calls_drop', 'calls_spike');
      return (await alerts(owner)).map(({ kind }) => kind);
    };
    expect(await usual(21)).toEqual([]);
    expect(await usual(12)).toEqual([]);
    expect(await usual(2)).toEqual(['calls_drop']);
    expect(await usual(60)).toEqual(['calls_spike']);
  });

  test('a number that was called daily is silent for a week', async () => {
    const { company, owner } = await app.createCompany();
    const [busy, rare] = [await inbox.number(company.id), await inbox.number(company.id)];
    await figures(
      company.id,
      busy.id,
      Array.from({ length: 60 }, (_, n) => ({ at: hoursAgo(8 * 24 + n * 12), calls: 1 })),
    );
    await figures(
      company.id,
      rare.id,
      Array.from({ length: 8 }, (_, n) => ({ at: hoursAgo(8 * 24 + n * 72), calls: 1 })),
    );
    await check(company.id, 'number_silent');
    expect((await alerts(owner)).map(({ subject }) => subject.id)).toEqual([busy.id]);
  });

  test('a wave of blocked calls is worth knowing, and not mailed', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    await calls(company.id, number.id, 19, { outcome: 4, talk: 0 });
    await check(company.id, 'spam_wave');
    expect(await alerts(owner)).toEqual([]);
    await calls(company.id, number.id, 1, { spam: true });
    await check(company.id, 'spam_wave');
    expect(await alerts(owner)).toMatchObject([{ severity: 'info', metric: { value: 20 } }]);
  });

  test('missed calls of a day on which the company usually rests say nothing', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    // Eight weeks of calls at this time of day, but never on this day of the week.
    const days = Array.from({ length: 56 }, (_, n) => n + 1).filter((day) => day % 7 !== 0);
    const rows = days.map((day) => ({ at: hoursAgo(24 * day), calls: 12 }));
    const today = [{ at: now(), calls: 10, missed: 8 }];
    for (const id of [0, number.id]) await figures(company.id, id, [...rows, ...today]);
    await check(company.id, 'missed_rate_high');
    expect(await alerts(owner)).toEqual([]);
    const again = days.slice(0, 8).map((week) => ({ at: hoursAgo(24 * 7 * week), calls: 12 }));
    for (const id of [0, number.id]) await figures(company.id, id, again);
    await check(company.id, 'missed_rate_high');
    expect(await alerts(owner)).toMatchObject([{ kind: 'missed_rate_high' }]);
  });

  test('texts of which too few arrive', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    await inbox.text('+12125559902', number.number, 'Hello');
    const texts = (count: number, state: string) =>
      sql`insert into conversation_item (company_id, conversation_id, number_id, kind, is_inbound,
          created_at, details, delivery_state)
        select c.company_id, c.id, c.number_id, 'message', false, ${minutesAgo(30)}, '{}', ${state}
        from conversation c, generate_series(1, ${count})
        where c.company_id = ${company.id}`.execute(db.unscoped);
    await texts(45, 'delivered');
    await texts(5, 'undelivered');
    await check(company.id, 'sms_delivery_low');
    expect(await alerts(owner)).toEqual([]);
    await texts(5, 'failed');
    await check(company.id, 'sms_delivery_low');
    expect(await alerts(owner)).toMatchObject([
      { message: '45 of 55 texts were delivered in 24 hours.', metric: { value: 82 } },
    ]);
  });

  test('a text that may be an opt-out, undecided for an hour; decided, it is over', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    await inbox.text('+12125559903', number.number, 'Please take me off your list');
    await app.drainJobs();
    await check(company.id, 'opt_out_waiting');
    expect(await alerts(owner)).toEqual([]);
    app.clock.value = new Date(now().getTime() + 61 * 60_000);
    await check(company.id, 'opt_out_waiting');
    expect(await alerts(owner)).toMatchObject([
      {
        message: 'A text may be an opt-out. Campaigns leave its sender out until you decide.',
        suggestions: [{ link: '/inbox?view=opt_outs' }],
      },
    ]);
    await inbox.text('+12125559903', number.number, 'STOP');
    await app.drainJobs();
    await check(company.id, 'opt_out_waiting');
    await check(company.id, 'opt_out_waiting');
    expect(await alerts(owner, { state: 'open' })).toEqual([]);
  });

  test('a plan that isn’t paid, until it is; other companies hear nothing', async () => {
    const { company, owner } = await app.createCompany();
    const nearby = await app.createCompany();
    for (const id of [company.id, nearby.company.id])
      await sql`insert into subscription (company_id, state, state_reason, plan, period_end,
          past_due_since, provider, created_at, updated_at)
        values (${id}, 'retry_period', 'The card has insufficient funds.', 'starter', ${now()},
          ${hoursAgo(30)}, 'sandbox', ${now()}, ${now()})`.execute(db.unscoped);
    const enter = (id: number, kind: 'charge' | 'payment', cents: number) =>
      sql`insert into ledger_entry (company_id, cause, kind, amount_cents, currency, description, at)
        values (${id}, ${kind}, ${kind}, ${cents}, 'USD', ${kind}, ${now()})`.execute(db.unscoped);
    await enter(company.id, 'charge', 3900);
    await check(company.id, 'payment_failed');
    // Past due with nothing to pay is no alert.
    await check(nearby.company.id, 'payment_failed');
    expect(await alerts(nearby.owner)).toEqual([]);
    expect(await alerts(owner)).toMatchObject([
      {
        kind: 'payment_failed',
        severity: 'critical',
        message: '$39 couldn’t be charged. The card has insufficient funds.',
        metric: { value: 39, window: '1 day past due' },
        suggestions: [{ link: '/settings/billing' }],
      },
    ]);
    await enter(company.id, 'payment', -3900);
    await check(company.id, 'payment_failed');
    await check(company.id, 'payment_failed');
    expect(await alerts(owner, { state: 'resolved' })).toHaveLength(1);
  });

  test('a plan that is used up, and a spending limit, at 80 and 100 percent', async () => {
    const { company, owner } = await app.createCompany();
    const nearby = await app.createCompany();
    const kinds = ['usage_80', 'usage_100', 'spend_limit_80', 'spend_limit'] as const;
    for (const id of [company.id, nearby.company.id])
      await sql`insert into subscription (company_id, state, plan, period_start, period_end,
          provider, created_at, updated_at)
        values (${id}, 'active', 'starter', ${hoursAgo(24)}, ${hoursAgo(-240)}, 'sandbox',
          ${now()}, ${now()})`.execute(db.unscoped);
    await sql`update company set settings = settings || '{"spend_limit_cents":1000}'
      where id = ${company.id}`.execute(db.unscoped);
    const use = (id: number, minutes: number) =>
      sql`insert into usage_entry (company_id, component, cause, quantity, at) values (${id},
        'voice_minutes', ${`test:${Math.random()}`}, ${minutes}, ${hoursAgo(1)})`.execute(
        db.unscoped,
      );
    const open = async (who: TestPerson) => {
      await check(who.companyId, ...kinds);
      await check(who.companyId, ...kinds);
      return (await alerts(who, { state: 'open' })).map(({ kind, message }) => [kind, message]);
    };
    await use(nearby.company.id, 399);
    expect(await open(nearby.owner)).toEqual([]);
    await use(company.id, 400);
    expect(await open(owner)).toEqual([['usage_80', 'Call minutes: 400 of 500.']]);
    await use(company.id, 300);
    expect((await open(owner)).toSorted()).toEqual([
      ['spend_limit_80', '$8 of the spending limit of $10 is used.'],
      ['usage_100', 'Call minutes: 700 of 500.'],
    ]);
    await use(company.id, 50);
    expect((await open(owner)).toSorted()).toEqual([
      ['spend_limit', '$10 of the spending limit of $10 is used.'],
      ['usage_100', 'Call minutes: 750 of 500.'],
    ]);
  });

  test('every rule runs on a database with rows of its kind, also where it finds nothing', async () => {
    const { company, owner } = await app.createCompany();
    const campaign = async (columns: Record<string, unknown>) =>
      db.unscoped
        .insertInto('campaign')
        .values({
          company_id: company.id,
          title: 'Spring',
          created_at: now(),
          updated_at: now(),
          ...columns,
        })
        .execute();
    await campaign({ state: 'paused', paused_reason: 'error_rate', pending_count: 40 });
    await campaign({ state: 'paused', paused_reason: 'by_hand' });
    await campaign({
      state: 'sent',
      started_at: minutesAgo(60),
      delivered_count: 100,
      unsubscriber_count: 4,
    });
    await campaign({
      state: 'sent',
      started_at: minutesAgo(60),
      delivered_count: 100,
      unsubscriber_count: 3,
    });
    await db.unscoped
      .insertInto('personal_access_token')
      .values({
        company_id: company.id,
        person_id: owner.id,
        name: 'Old',
        prefix: 'tk_old',
        hash: `hash-${company.id}`,
        scopes: ['read'],
        created_at: new Date(now().getTime() - 91 * 86_400_000),
      })
      .execute();
    await db.unscoped
      .insertInto('connection')
      .values({
        company_id: company.id,
        provider: 'hubspot',
        external_id: String(company.id),
        account_name: 'Harbor',
        status: 'needs_reconnect',
        created_at: now(),
      })
      .execute();
    await check(company.id, ...alertKindNames);
    expect(
      (await alerts(owner, { perPage: 50 }))
        .map(({ kind, message }) => `${kind}: ${message}`)
        .toSorted(),
    ).toEqual([
      'api_key_unused_90d: One API key was not used for 90 days.',
      'campaign_paused_auto: More than 30% of the last 200 texts failed. Check the reasons before you resume.',
      'integration_error: It has to be connected again.',
      'sms_optout_high: 4 of 100 people opted out.',
    ]);
  });

  test('an account whose access ended is an alert and an email, each with the way to reconnect it', async () => {
    const { company, owner } = await app.createCompany();
    await db.unscoped
      .insertInto('connection')
      .values({
        company_id: company.id,
        provider: 'slackbot',
        external_id: 'T1',
        account_name: 'Harbor',
        status: 'needs_reconnect',
        created_at: now(),
      })
      .execute();
    await check(company.id, 'integration_error');
    await app.drainJobs();
    expect(await alerts(owner)).toMatchObject([
      {
        severity: 'critical',
        message: 'It has to be connected again.',
        suggestions: [{ text: 'Reconnect it, or see what failed', link: '/integrations' }],
      },
    ]);
    const mails = (await app.mails(owner.email)).filter(({ subject }) =>
      subject.includes('A connected account fails'),
    );
    expect(mails).toHaveLength(1);
    const way = `${app.services.settings.publicUrl}/integrations`;
    expect(mails[0]?.text).toContain(`Reconnect it, or see what failed: ${way}`);
    expect(mails[0]?.html).toContain(`<a href="${way}">Reconnect it, or see what failed</a>`);
  });
});

describe('who sees which', () => {
  test('people limited to a number see its alerts only; other companies none', async () => {
    const { company, owner } = await app.createCompany();
    const stranger = await app.createCompany();
    const [one, other] = [await inbox.number(company.id), await inbox.number(company.id)];
    await calls(company.id, one.id, 5, { talk: 3 });
    await calls(company.id, other.id, 5, { talk: 3 });
    await calls(company.id, other.id, 20, { outcome: 4, talk: 0 });
    await check(company.id, 'short_calls', 'spam_wave');
    const limited = await app.createPerson(company.id, 'user', [one.id]);
    expect(await alerts(owner)).toHaveLength(3);
    const theirs = await alerts(limited);
    expect(theirs.map(({ subject }) => subject.id)).toEqual([one.id]);
    const [hidden] = (await alerts(owner)).filter(({ subject }) => subject.id === other.id);
    const params = { id: hidden!.id };
    expect((await app.as(limited).request(contract.getAlert, { params })).status).toBe(404);
    expect((await app.as(limited).request(contract.listAlertHistory, { params })).status).toBe(404);
    expect((await update(limited, hidden!.id, { state: 'acknowledged' })).status).toBe(403);
    expect(await alerts(stranger.owner)).toEqual([]);
    expect((await app.as(stranger.owner).request(contract.getAlert, { params })).status).toBe(404);
    const asked = await app.as(stranger.owner).request(contract.listAlerts, {
      query: { company_id: stranger.company.id, accounts: [company.id] },
    });
    expect(asked.status).toBe(404);
  });

  test('an organization’s administrator lists the alerts of its companies together', async () => {
    const { company, owner } = await app.createCompany();
    const second = await app.createCompany();
    const made = await app.as(owner).request(organizations.createOrganization, {
      body: { name: `Alerts ${company.id}`, companyIds: [company.id] },
    });
    const organization = made.body.data.id;
    await db.unscoped
      .updateTable('company')
      .set({ organization_id: organization })
      .where('id', '=', second.company.id)
      .execute();
    for (const { id } of [company, second.company]) {
      const number = await inbox.number(id);
      await calls(id, number.id, 5, { talk: 3 });
      await check(id, 'short_calls');
    }
    const listed = await alerts(owner, { organization });
    expect(listed.map((one) => one.company.id).toSorted()).toEqual(
      [company.id, second.company.id].toSorted(),
    );
    expect(await alerts(owner)).toHaveLength(1);
    const refused = await app.as(second.owner).request(contract.listAlerts, {
      query: { company_id: second.company.id, organization },
    });
    expect(refused.status).toBe(404);
  });
});

test('the clock checks each company every five minutes, and what was missed once', async () => {
  const { company, owner } = await app.createCompany();
  const due = () =>
    db.systemTransaction(async (tx) =>
      (await takeDueCompanies(tx, now(), 10_000)).filter(({ id }) => id === company.id),
    );
  await due();
  app.clock.value = new Date(now().getTime() + 86_400_000);
  expect(await due()).toMatchObject([{ quarter: true, hour: true, day: true }]);
  expect(await due()).toEqual([]);
  app.clock.value = new Date(now().getTime() + 6 * 60_000);
  expect(await due()).toMatchObject([{ quarter: false, hour: false, day: false }]);
  app.clock.value = new Date(now().getTime() + 3 * 3_600_000);
  expect(await due()).toMatchObject([{ quarter: true, hour: true, day: false }]);
  expect(await due()).toEqual([]);
  // The whole way: the clock, its job, the alert.
  const number = await inbox.number(company.id);
  app.clock.value = new Date(now().getTime() + 6 * 60_000);
  await calls(company.id, number.id, 5, { talk: 3 });
  await startDueChecks(systemCtx(app.services, 0, app.notifier));
  await app.drainJobs();
  expect((await alerts(owner)).map(({ kind }) => kind)).toEqual(['short_calls']);
});
