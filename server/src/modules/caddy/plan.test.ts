import { expect, test } from 'vitest';
import { billing, caddy, calls, conversations, subscription } from '#contract';
import { freePlan, invitationReward } from '#contract/caddy/rules';
import { plans, type UsageComponent } from '#contract/billing/rules';
import { caddyHelpers } from '../../../test/support/caddy.ts';
import { uniquePhone } from '../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { ownersOf } from '../companies/index.ts';
import { startDueDunning, startDuePeriods } from '../billing/jobs.ts';

const app = await createTestApp();
const { signUp, withNumber } = caddyHelpers(app);
const { db } = app.services;
const of = (person: TestPerson) => ({ params: { companyId: person.companyId } });

const uses = (person: TestPerson, component: UsageComponent, quantity: number) =>
  db.systemTransaction((tx) =>
    tx
      .insertInto('usage_entry')
      .values({
        ...{ company_id: person.companyId, component, quantity, at: app.clock.value },
        cause: `test:${Math.random()}`,
      })
      .execute(),
  );
const send = (person: TestPerson, numberId: number) =>
  app.as(person).request(conversations.sendMessage, {
    body: { company_id: person.companyId, numberId, to: uniquePhone(), message: 'Hello' },
  });
const usage = async (person: TestPerson) =>
  (await app.as(person).request(caddy.getCaddyUsage)).body.data;
const choose = (person: TestPerson, identifier: keyof typeof plans) =>
  app.as(person).request(subscription.migrateSubscription, {
    ...of(person),
    body: { identifier },
  });
const payByCard = (person: TestPerson) =>
  app.as(person).request(billing.updateCompanyBilling, {
    ...of(person),
    body: { cc_number: '4242424242424242', cc_exp: '09/39', cc_cvc: '123' },
  });
const add = async (person: TestPerson) => {
  const { data } = (await app.as(person).request(caddy.getRandomCaddyNumber)).body;
  return app.as(person).request(caddy.addCaddyNumber, { body: { number: data.number } });
};
const activeOf = async (person: TestPerson) =>
  (await app.as(person).request(caddy.listCaddyNumbers)).body.data
    .filter(({ isActive }) => isActive)
    .map(({ id }) => id);
const pass = async (days: number) => {
  app.clock.advance(days * 86_400);
  const ctx = systemCtx(app.services, 0, app.notifier);
  await startDuePeriods(ctx);
  await startDueDunning(ctx);
  await app.drainJobs();
};

test('texts end with those of the free plan, and friends who came add to them', async () => {
  const { person, mine } = await withNumber();
  await uses(person, 'text_credits', freePlan.text_credits - 1);
  expect((await send(person, mine.id)).status).toBe(201);
  await app.drainJobs();
  const refused = await send(person, mine.id);
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      code: 'plan.used_up',
      message: expect.stringMatching(
        /^You have used the 30 text credits of your plan\. They start over on \w+ 1\. For more, upgrade under Account, Plan, or invite a friend\.$/,
      ),
    },
  ]);
  await db.systemTransaction((tx) =>
    tx
      .updateTable('company')
      .set({ invitation_rewards: 1 })
      .where('id', '=', person.companyId)
      .execute(),
  );
  expect((await usage(person)).texts).toEqual({
    used: freePlan.text_credits,
    included: freePlan.text_credits + invitationReward.texts,
  });
  expect((await send(person, mine.id)).status).toBe(201);
});

test('calls end with the minutes of the free plan', async () => {
  const { person, mine } = await withNumber();
  await uses(person, 'voice_minutes', freePlan.voice_minutes);
  const placed = await app.as(person).request(calls.placeCall, {
    body: { company_id: person.companyId, number_id: mine.id, destination: uniquePhone() },
  });
  expect([placed.status, placed.body]).toMatchObject([409, { code: 'plan.used_up' }]);
});

test('an upgrade gives more at once; when it ends, what the free plan has stays', async () => {
  const { person, mine } = await withNumber();
  expect((await add(person)).status).toBe(403);
  expect((await payByCard(person)).status).toBe(200);
  expect((await choose(person, 'unlimited_monthly')).status).toBe(200);
  await app.drainJobs();
  const second = await add(person);
  const third = await add(person);
  expect([second.status, third.status]).toEqual([201, 201]);
  expect(await usage(person)).toMatchObject({
    ...{ plan: 'unlimited_monthly', subscriptionStatus: 'active' },
    texts: { included: plans.unlimited_monthly.included.text_credits },
    numbers: { used: 3, included: 3 },
  });
  // What the plan includes is the most, also after the trial: an individual has no bill that grows.
  await pass(plans.unlimited_monthly.trial_days + 1);
  await uses(person, 'text_credits', 500);
  expect((await send(person, third.body.data.id)).body).toMatchObject({ code: 'plan.used_up' });
  await uses(person, 'text_credits', 100);
  await pass(31);
  const { data: invoices } = (await app.as(person).request(subscription.listInvoices, of(person)))
    .body;
  expect(invoices.map(({ total_cents }) => total_cents)).toEqual([3900, 3900]);
  const told = await app.mails(person.email);
  expect(told.filter(({ subject }) => subject.startsWith('Your invoice'))).toHaveLength(2);

  expect((await send(person, second.body.data.id)).status).toBe(201);
  await app.drainJobs();
  await app.as(person).request(subscription.cancelSubscription, {
    ...of(person),
    body: { reason: 'unused' },
  });
  await pass(32);
  expect(await usage(person)).toMatchObject({
    ...{ plan: 'free', texts: { used: 0, included: freePlan.text_credits } },
    numbers: { used: 1, included: 1 },
  });
  // The one that was used last.
  expect(await activeOf(person)).toEqual([second.body.data.id]);
  expect((await app.mails(person.email)).at(-1)?.subject).toBe('Your plan has fewer numbers now');
  await app.as(person).request(caddy.activateCaddyNumbers, { body: { ids: [mine.id] } });
  expect(await activeOf(person)).toEqual([mine.id]);
});

test('a plan that isn’t paid ends without taking the last number', async () => {
  const { person } = await withNumber();
  await choose(person, 'starter');
  await app.drainJobs();
  await pass(15);
  for (let day = 0; day < 60; day++) await pass(1);
  expect((await usage(person)).plan).toBe('free');
  expect(await activeOf(person)).toHaveLength(1);
  const subjects = (await app.mails(person.email)).map(({ subject }) => subject);
  expect(subjects.filter((one) => one === 'Your payment of $19 failed')).toHaveLength(3);
  expect(subjects).toContain('You can’t text or call until you pay');
  expect(subjects.filter((one) => one === 'Your plan has ended')).toHaveLength(1);
  expect(await ownersOf(db.unscoped, person.companyId)).toEqual([]);
});

test('a number is renamed by its person alone', async () => {
  const [{ person, mine }, other] = [await withNumber(), await signUp()];
  const rename = (who: TestPerson, label: string) =>
    app.as(who).request(caddy.renameCaddyNumber, { params: { id: mine.id }, body: { label } });
  expect((await rename(person, 'Landlord')).body.data).toMatchObject({ label: 'Landlord' });
  expect((await rename(other, 'Mine')).status).toBe(404);
  expect((await rename(person, 'x'.repeat(81))).status).toBe(422);
  const [number] = (await app.as(person).request(caddy.listCaddyNumbers)).body.data;
  expect(number?.label).toBe('Landlord');
});
