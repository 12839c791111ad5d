import { expect, test } from 'vitest';
import { carriers as contract } from '#contract';
import { createTestApp } from '../../../../test/support/test-app.ts';
import {
  createSender,
  readCampaign,
  registerNumber,
  send,
} from '../../../../test/support/campaigns.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { noFaults, setFaults } from '../../../adapters/sandbox/fault-injection.ts';
import { accountProblemError } from '../../../gateways/carrier.ts';
import { checkCarrierAccounts } from './carrier-accounts.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
/**
 * How the sandbox, which plays a real carrier here, reports our account: null, a note, or an error.
 */
let accountStatus: Error | string | null = null;
const carrier = app.services.gateways.carriers.primary;
Object.assign(carrier, {
  checkAccount: async () => {
    if (accountStatus instanceof Error) throw accountStatus;
    return accountStatus;
  },
});
const publishedTo = async (companyId: number) =>
  (
    await app.services.db.pool.query<{ data: object }>(
      `select data from outbox where company_id = $1 and event = 'carrier.account_changed' order by id`,
      [companyId],
    )
  ).rows.map((row) => row.data);
const kept = async () =>
  (await app.services.db.unscoped.selectFrom('carrier_account').selectAll().execute())[0];
/** Returns the time of the check. */
const lookNow = async () => {
  const at = app.clock.value;
  await checkCarrierAccounts(app.services, at);
  return at;
};

test('account checks store the state since when it holds and when it last worked, and changes reach every company', async () => {
  const { company, owner } = await app.createCompany();
  const { company: other } = await app.createCompany();
  accountStatus = null;
  const worked = await lookNow();
  expect(await publishedTo(company.id)).toEqual([]);
  app.clock.advance(900);
  accountStatus = accountProblemError('Twilio', 'credentials');
  const since = await lookNow();
  app.clock.advance(900);
  const last = await lookNow();
  expect(await kept()).toMatchObject({
    state: 'refused',
    sentence:
      'Twilio rejected our credentials. An operator must correct them in the server’s settings.',
    last_worked_at: worked,
    since,
    checked_at: last,
  });
  const refused = [{ carrier: 'sandbox', state: 'refused', working: false }];
  expect([await publishedTo(company.id), await publishedTo(other.id)]).toMatchObject([
    refused,
    refused,
  ]);
  // A second manual check right after the first doesn't ask the carrier; a later one does, and is
  // published.
  const ask = async () =>
    (await app.as(owner).request(contract.checkCarriers, { body: { company_id: company.id } }))
      .status;
  accountStatus = 'Our account is a trial account.';
  expect(await ask()).toBe(200);
  expect((await kept())?.state).toBe('refused');
  app.clock.advance(10);
  expect(await ask()).toBe(200);
  expect(await kept()).toMatchObject({
    state: 'warning',
    sentence: 'Our account is a trial account.',
  });
  expect((await kept())!.last_worked_at!.getTime()).toBeGreaterThan(last.getTime());
  expect((await publishedTo(company.id)).at(-1)).toMatchObject({ state: 'warning', working: true });
});

test('the list of carriers hides failure details and requires permission to change settings', async () => {
  const { company, owner } = await app.createCompany();
  const user = await app.createPerson(company.id, 'user');
  const list = (person = owner) =>
    app.as(person).request(contract.listCarriers, { query: { company_id: company.id } });
  accountStatus = new Error('connect ECONNREFUSED 10.1.2.3:443');
  await lookNow();
  expect((await list()).body.data).toMatchObject([
    { name: 'sandbox', state: 'simulated', sentence: null },
  ]);
  Object.assign(carrier, { name: 'twilio', label: 'Twilio' });
  await lookNow();
  const [account] = (await list()).body.data;
  Object.assign(carrier, { name: 'sandbox', label: 'Sandbox' });
  expect(account).toMatchObject({
    name: 'twilio',
    state: 'unreachable',
    last_worked_at: null,
    sentence: expect.stringMatching(/^Twilio didn’t respond/),
  });
  expect(account?.sentence).not.toContain('10.1.2.3');
  expect([
    (await list(user)).status,
    (await app.as(user).request(contract.checkCarriers, { body: { company_id: company.id } }))
      .status,
  ]).toEqual([403, 403]);
});

test('platform staff see each carrier with the numbers of all companies; nobody else does', async () => {
  const [one, two] = [await app.createCompany(), await app.createCompany()];
  const held = async (who = staff, headers: Record<string, string> = { isadmin: '1' }) => {
    const answer = await app.as(who).request(contract.listPlatformCarriers, { headers });
    return { status: answer.status, sandbox: answer.body.data?.find((c) => c.name === 'sandbox') };
  };
  const staff = await app.createStaff();
  const before = (await held()).sandbox!;
  const kept = await inbox.number(one.company.id);
  await inbox.number(one.company.id);
  await inbox.number(two.company.id);
  // Of a carrier that isn't connected.
  const elsewhere = await inbox.number(two.company.id);
  await app.services.db.unscoped
    .updateTable('number')
    .set({ provider_id: 3, provider_ref: 'elsewhere' })
    .where('id', '=', elsewhere.id)
    .execute();
  expect((await held()).sandbox).toMatchObject({
    state: 'simulated',
    numbers: before.numbers + 3,
    companies: before.companies + 2,
  });
  await app.services.db.unscoped
    .updateTable('number')
    .set({ status: 'released', released_at: app.clock.value })
    .where('id', '=', kept.id)
    .execute();
  expect((await held()).sandbox!.numbers).toBe(before.numbers + 2);
  expect((await held(one.owner)).status).toBeGreaterThanOrEqual(401);
  expect((await held(staff, {})).status).toBe(403);
});

test('texts and campaigns waiting for a carrier continue once its account works again', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const phone = '+12125550188';
  const s = await createSender(app, 2);
  await registerNumber(app, s.company.id, s.number);
  setFaults({ ...noFaults, outage: true });
  const item = (await inbox.send(owner, { to: phone, numberId: number.id, message: 'Hello' })).body
    .data;
  const campaign = await send(app, s);
  await expect
    .poll(async () => {
      await app.drainJobs();
      return (
        (
          await app.services.db.unscoped
            .selectFrom('campaign')
            .select('carrier_down_retries')
            .where('id', '=', campaign.id)
            .executeTakeFirst()
        )?.carrier_down_retries ?? 0
      );
    })
    .toBeGreaterThan(0);
  // Neither is due for a long time.
  await app.stopJobs();
  const later = new Date(app.clock.value.getTime() + 3_000_000);
  await app.services.db.systemTransaction(async (tx) => {
    await tx
      .updateTable('campaign')
      .set({ wake_at: later })
      .where('id', '=', campaign.id)
      .execute();
  });
  await app.services.db.pool.query(
    `select enqueue_job('conversations.submit', $1::json, $2, $3, 25, $2, null)`,
    [
      JSON.stringify({ companyId: company.id, conversationId: item.conversationId }),
      `texts:${company.id}:${item.conversationId}`,
      later,
    ],
  );
  setFaults(noFaults);
  accountStatus = accountProblemError('Twilio', 'credentials');
  await lookNow();
  await app.drainJobs();
  expect(await inbox.received(phone)).toEqual([]);
  accountStatus = null;
  await lookNow();
  await expect
    .poll(async () => {
      await app.drainJobs();
      return (await inbox.received(phone)).map((r) => r.text);
    })
    .toEqual(['Hello']);
  await expect
    .poll(async () => {
      await app.drainJobs();
      return (await readCampaign(app, s, campaign.id)).sent_count;
    })
    .toBe(2);
});
