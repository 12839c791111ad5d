import { expect, test } from 'vitest';
import { carriers as contract } from '#contract';
import { aWorld } from '../../../../test/world.ts';
import { aSender, look, register, send } from '../../campaigns/test-campaigns.ts';
import { inboxOf } from '../../conversations/test-inbox.ts';
import { noTrouble, setTrouble } from '../../../adapters/sandbox/trouble.ts';
import { refusedBy } from '../../../ports/carrier.ts';
import { lookAtCarriers } from './check-carriers.ts';

const world = await aWorld();
const inbox = inboxOf(world);
/** What the carrier says of our account: null, a note, or an error. The sandbox plays a real one's part. */
let says: Error | string | null = null;
const carrier = world.house.ports.carriers.first;
Object.assign(carrier, {
  checkAccount: async () => {
    if (says instanceof Error) throw says;
    return says;
  },
});
const told = async (companyId: number) =>
  (
    await world.house.db.pool.query<{ data: object }>(
      `select data from outbox where company_id = $1 and event = 'carrier.account_changed' order by id`,
      [companyId],
    )
  ).rows.map((row) => row.data);
const kept = async () =>
  (await world.house.db.directory.selectFrom('carrier_account').selectAll().execute())[0];
/** Answers when that was. */
const lookNow = async () => {
  const at = world.now.value;
  await lookAtCarriers(world.house, at);
  return at;
};

test('what a carrier says of our account is kept with since when and when it last worked, and every company hears of a change', async () => {
  const { company, owner } = await world.company();
  const { company: other } = await world.company();
  says = null;
  const worked = await lookNow();
  expect(await told(company.id)).toEqual([]);
  world.now.advance(900);
  says = refusedBy('Twilio', 'credentials');
  const since = await lookNow();
  world.now.advance(900);
  const last = await lookNow();
  expect(await kept()).toMatchObject({
    state: 'refused',
    sentence:
      'Twilio refused our credentials. An operator must correct them in the server’s settings.',
    last_worked_at: worked,
    since,
    checked_at: last,
  });
  const heard = [{ carrier: 'sandbox', state: 'refused', working: false }];
  expect([await told(company.id), await told(other.id)]).toMatchObject([heard, heard]);
  // Asked by hand within a moment, the carrier is left alone; later it is asked, and whoever looks hears of it.
  const ask = async () =>
    (await world.as(owner).ask(contract.checkCarriers, { body: { company_id: company.id } }))
      .status;
  says = 'Our account is a trial account.';
  expect(await ask()).toBe(200);
  expect((await kept())?.state).toBe('refused');
  world.now.advance(10);
  expect(await ask()).toBe(200);
  expect(await kept()).toMatchObject({
    state: 'warning',
    sentence: 'Our account is a trial account.',
  });
  expect((await kept())!.last_worked_at!.getTime()).toBeGreaterThan(last.getTime());
  expect((await told(company.id)).at(-1)).toMatchObject({ state: 'warning', working: true });
});

test('the list names each carrier, shows how it failed to nobody but the log, and is for who may change settings', async () => {
  const { company, owner } = await world.company();
  const user = await world.person(company.id, 'user');
  const list = (person = owner) =>
    world.as(person).ask(contract.listCarriers, { query: { company_id: company.id } });
  says = new Error('connect ECONNREFUSED 10.1.2.3:443');
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
    sentence: expect.stringMatching(/^Twilio did not answer/),
  });
  expect(account?.sentence).not.toContain('10.1.2.3');
  expect([
    (await list(user)).status,
    (await world.as(user).ask(contract.checkCarriers, { body: { company_id: company.id } })).status,
  ]).toEqual([403, 403]);
});

test('texts that wait for a carrier that works again go at once, and a campaign goes on', async () => {
  const { company, owner } = await world.company();
  const number = await inbox.number(company.id);
  const phone = '+12125550188';
  const s = await aSender(world, 2);
  await register(world, s.company.id, s.number);
  setTrouble({ ...noTrouble, outage: true });
  const item = (await inbox.send(owner, { to: phone, numberId: number.id, message: 'Hello' })).body
    .data;
  const campaign = await send(world, s);
  await expect
    .poll(async () => {
      await world.settle();
      return (
        (
          await world.house.db.directory
            .selectFrom('campaign')
            .select('away_times')
            .where('id', '=', campaign.id)
            .executeTakeFirst()
        )?.away_times ?? 0
      );
    })
    .toBeGreaterThan(0);
  // Nothing of both is due for a long time.
  await world.rest();
  const later = new Date(world.now.value.getTime() + 3_000_000);
  await world.house.db.system(async (tx) => {
    await tx
      .updateTable('campaign')
      .set({ wake_at: later })
      .where('id', '=', campaign.id)
      .execute();
  });
  await world.house.db.pool.query(
    `select enqueue_job('conversations.handOver', $1::json, $2, $3, 25, $2, null)`,
    [
      JSON.stringify({ companyId: company.id, conversationId: item.conversationId }),
      `texts:${company.id}:${item.conversationId}`,
      later,
    ],
  );
  setTrouble(noTrouble);
  says = refusedBy('Twilio', 'credentials');
  await lookNow();
  await world.settle();
  expect(await inbox.received(phone)).toEqual([]);
  says = null;
  await lookNow();
  await expect
    .poll(async () => {
      await world.settle();
      return (await inbox.received(phone)).map((r) => r.text);
    })
    .toEqual(['Hello']);
  await expect
    .poll(async () => {
      await world.settle();
      return (await look(world, s, campaign.id)).sent_count;
    })
    .toBe(2);
});
