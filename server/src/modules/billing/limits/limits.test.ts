import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  calls,
  campaigns,
  features,
  ga4,
  invitations,
  numbers,
  settings,
  subscription,
  tracking,
  users,
} from '#contract';
import type { PlanId } from '#contract/billing/rules';
import { createSender, readCampaign, send } from '../../../../test/support/campaigns.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { inboxHelpers, uniquePhone } from '../../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const { db } = app.services;
const day = 86_400_000;
const of = (companyId: number) => ({ params: { companyId } });

/** A company with a plan, in its trial or not, and its features. */
async function withPlan(plan: PlanId, more: { trial?: boolean; spend?: number } = {}) {
  const made = await app.createCompany();
  await subscribe(made.owner, plan, more);
  return made;
}
async function subscribe(
  owner: TestPerson,
  plan: PlanId,
  more: { trial?: boolean; spend?: number },
) {
  const { companyId } = owner;
  const bought = await app.as(owner).request(subscription.migrateSubscription, {
    ...of(companyId),
    body: { identifier: plan },
  });
  expect(bought.status).toBe(200);
  if (!more.trial)
    await db.systemTransaction((tx) =>
      tx
        .updateTable('subscription')
        .set({ trial_ends_at: null })
        .where('company_id', '=', companyId)
        .execute(),
    );
  if (more.spend)
    await app.as(owner).request(settings.updateGeneralSettings, {
      query: { company_id: companyId },
      body: { spend_limit_cents: more.spend },
    });
  await app.drainJobs();
}
const uses = (companyId: number, component: string, quantity: number) =>
  db.systemTransaction((tx) =>
    tx
      .insertInto('usage_entry')
      .values({
        company_id: companyId,
        component,
        cause: `test:${Math.random()}`,
        quantity,
        at: app.clock.value,
      })
      .execute(),
  );
const expectRefused = (
  answer: { status: number; body: unknown },
  status: number,
  code: string,
  sentence: string,
) => expect([answer.status, answer.body]).toMatchObject([status, { code, message: sentence }]);
const buy = async (owner: TestPerson) => {
  const found = await app
    .as(owner)
    .request(numbers.locateNumbers, { body: { areaCode: '415', limit: 1 } });
  return app
    .as(owner)
    .request(numbers.buyNumbers, { body: { numbers: [found.body.data[0]?.number ?? ''] } });
};
const invite = (owner: TestPerson, email: string) =>
  app.as(owner).request(invitations.invitePerson, {
    ...of(owner.companyId),
    body: { email, role: 'user' },
  });

describe('a trial uses what its plan includes, and no more', () => {
  test('numbers, texts and calls are refused with the limit and the way out', async () => {
    const { company, owner } = await withPlan('starter', { trial: true });
    const number = await inbox.number(company.id);
    expectRefused(
      await buy(owner),
      409,
      'plan.trial_limit',
      'Your trial includes 1 phone numbers, and no more are left. Choose a larger plan under Settings, Billing.',
    );
    const send = () =>
      inbox.send(owner, { numberId: number.id, to: uniquePhone(), message: 'Hello' });
    expect((await send()).status).toBeLessThan(300);
    await uses(company.id, 'text_credits', 50);
    expectRefused(
      await send(),
      409,
      'plan.trial_limit',
      'Your trial includes 50 text credits, and no more are left. Choose a larger plan under Settings, Billing.',
    );
    await uses(company.id, 'voice_minutes', 500);
    const called = await app.as(owner).request(calls.placeCall, {
      body: { number_id: number.id, destination: uniquePhone() },
    });
    expect(called.body).toMatchObject({ code: 'plan.trial_limit' });
    // A larger plan opens all of it at once.
    await app.as(owner).request(subscription.migrateSubscription, {
      ...of(company.id),
      body: { identifier: 'premium_monthly' },
    });
    expect((await send()).status).toBeLessThan(300);
    expect((await buy(owner)).status).toBeLessThan(300);
  });

  test('another company, and one without a plan, are not limited by it', async () => {
    await withPlan('starter', { trial: true });
    const free = await app.createCompany();
    await inbox.number(free.company.id);
    expect((await buy(free.owner)).status).toBeLessThan(300);
  });
});

describe('a plan', () => {
  test('charges what is used beyond it, so nothing is refused without a spending limit', async () => {
    const { company, owner } = await withPlan('starter');
    const number = await inbox.number(company.id);
    await uses(company.id, 'text_credits', 500);
    const sent = await inbox.send(owner, {
      numberId: number.id,
      to: uniquePhone(),
      message: 'Hello',
    });
    expect(sent.status).toBeLessThan(300);
    expect((await buy(owner)).status).toBeLessThan(300);
  });

  test('includes people and pools: further ones are refused at each door', async () => {
    const { company, owner } = await withPlan('starter');
    const member = await app.createPerson(company.id, 'user');
    await app.as(owner).request(users.deactivateUser, {
      body: { companyId: company.id, userId: member.id },
    });
    expect((await invite(owner, `a.${company.id}@people.test`)).status).toBe(201);
    expect((await invite(owner, `b.${company.id}@people.test`)).status).toBe(201);
    const sentence =
      'Your plan includes 3 people. Deactivate someone, or choose a larger plan under Settings, Billing.';
    expectRefused(await invite(owner, `c.${company.id}@people.test`), 409, 'plan.seats', sentence);
    await app.createPerson(company.id, 'user');
    await app.createPerson(company.id, 'user');
    const back = await app.as(owner).request(users.activateUser, {
      body: { companyId: company.id, userId: member.id },
    });
    expectRefused(back, 409, 'plan.seats', sentence);
    const premium = await withPlan('premium_monthly');
    const pool = (name: string) =>
      app.as(premium.owner).request(tracking.createPool, {
        ...of(premium.company.id),
        body: { name, numberIds: [] },
      });
    expect((await pool('One')).status).toBe(201);
    expectRefused(
      await pool('Two'),
      409,
      'plan.limit',
      'Your plan includes 1 tracking pools. Choose a larger plan under Settings, Billing.',
    );
  });

  test('that ended refuses what costs', async () => {
    const { company, owner } = await withPlan('starter');
    const number = await inbox.number(company.id);
    await db.systemTransaction((tx) =>
      tx
        .updateTable('subscription')
        .set({ state: 'expired' })
        .where('company_id', '=', company.id)
        .execute(),
    );
    const sent = await inbox.send(owner, {
      numberId: number.id,
      to: uniquePhone(),
      message: 'Hello',
    });
    for (const answer of [sent, await buy(owner)])
      expect([answer.status, answer.body]).toMatchObject([409, { code: 'subscription.ended' }]);
  });
});

describe('a spending limit', () => {
  test('lets use up what is included, then refuses what would cost more', async () => {
    const { company, owner } = await withPlan('starter', { spend: 400 });
    const number = await inbox.number(company.id);
    const send = () =>
      inbox.send(owner, { numberId: number.id, to: uniquePhone(), message: 'Hello' });
    await uses(company.id, 'text_credits', 149);
    expect((await send()).status).toBeLessThan(300);
    await uses(company.id, 'text_credits', 1);
    expectRefused(
      await send(),
      409,
      'plan.spend_limit',
      'Your spending limit of $4 for this period is reached. Raise it under Settings, Billing.',
    );
    expect((await buy(owner)).body).toMatchObject({ code: 'plan.spend_limit' });
    await app.as(owner).request(settings.updateGeneralSettings, {
      query: { company_id: company.id },
      body: { spend_limit_cents: 1000 },
    });
    expect((await send()).status).toBeLessThan(300);
  });

  test('two purchases at once can’t exceed it together', async () => {
    const { company, owner } = await withPlan('starter', { spend: 200 });
    await inbox.number(company.id);
    const answers = await Promise.all([buy(owner), buy(owner)]);
    expect(answers.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ code: 'plan.spend_limit' }),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  });
});

describe('features follow the plan', () => {
  test('what it lacks is refused with its name, can’t be turned on, and comes with a larger plan', async () => {
    const { company, owner } = await withPlan('starter');
    const create = () =>
      app.as(owner).request(tracking.createPool, {
        ...of(company.id),
        body: { name: 'Website', numberIds: [] },
      });
    expectRefused(
      await create(),
      403,
      'feature.plan',
      'Your plan doesn’t include Dynamic numbers. Choose a larger plan under Settings, Billing.',
    );
    const turnedOn = await app.as(owner).request(features.setCompanyFeature, {
      params: { companyId: company.id, featureName: 'campaigns' },
      body: { enabled: true },
    });
    expect([turnedOn.status, turnedOn.body]).toMatchObject([403, { code: 'feature.plan' }]);
    const listed = await app.as(owner).request(features.listCompanyFeatures, of(company.id));
    expect(listed.body.data.filter(({ source }) => source === 'plan')).toMatchObject([
      { feature: 'call-transcription', enabled: false },
      { feature: 'ai-eav', enabled: false },
      { feature: 'campaigns', enabled: false },
      { feature: 'dni', enabled: false },
    ]);
    const connected = await app.as(owner).request(ga4.createGa4Integration, {
      ...of(company.id),
      body: { name: 'Website', measurementId: 'G-ABC123DEF4', apiSecret: 'sesame_sesame_wxyz' },
    });
    expect([connected.status, connected.body]).toMatchObject([403, { code: 'feature.plan' }]);
    await app.as(owner).request(subscription.migrateSubscription, {
      ...of(company.id),
      body: { identifier: 'premium_monthly' },
    });
    await app.drainJobs();
    expect((await create()).status).toBe(201);
  });
});

describe('a campaign', () => {
  const open = (companyId: number) =>
    db.systemTransaction((tx) =>
      sql`update company set settings = settings
          || '{"quiet_hours":{"start":"00:00","end":"00:00","mode":"recipient"}}'
        where id = ${companyId}`.execute(tx),
    );
  const reserved = async (companyId: number) =>
    (
      await db.unscoped
        .selectFrom('usage_reservation')
        .select('quantity')
        .where('company_id', '=', companyId)
        .execute()
    ).map(({ quantity }) => quantity);

  test('reserves its credits before and settles them after, each once', async () => {
    const sender = await createSender(app, 3);
    const { company, owner } = sender;
    await subscribe(owner, 'premium_monthly', { trial: true });
    await open(company.id);
    const later = new Date(app.clock.value.getTime() + day).toISOString();
    const planned = await send(app, sender, { should_be_sent_at: later });
    expect(await reserved(company.id)).toEqual([3]);
    // What is reserved is used, for everyone else.
    await uses(company.id, 'text_credits', 996);
    const one = () =>
      inbox.send(owner, { numberId: sender.number, to: uniquePhone(), message: 'Hello' });
    expect((await one()).status).toBeLessThan(300);
    await app.drainJobs();
    expect((await one()).body).toMatchObject({ code: 'plan.trial_limit' });
    const second = await app.as(owner).request(campaigns.createCampaign, {
      body: {
        company_id: company.id,
        title: 'Second',
        text: 'Hello',
        groups: [sender.group],
        number_id: sender.number,
        state: 'queued',
      },
    });
    expect([second.status, second.body]).toMatchObject([409, { code: 'plan.trial_limit' }]);
    // Canceled, its credits are free again.
    await app.as(owner).request(campaigns.cancelCampaign, { params: { id: planned.id } });
    expect(await reserved(company.id)).toEqual([]);
    const now = await send(app, sender);
    await expect
      .poll(
        async () => {
          await app.drainJobs();
          return (await readCampaign(app, sender, now.id)).state;
        },
        { timeout: 30_000, interval: 100 },
      )
      .toBe('sent');
    await app.drainJobs();
    expect(await reserved(company.id)).toEqual([]);
    const used = await app.as(owner).request(subscription.usageSimple, of(company.id));
    expect(used.body.data.text_credits).toEqual({ used: 1000, included: 1000 });
  });
});
