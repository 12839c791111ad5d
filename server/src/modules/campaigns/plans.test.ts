import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { plansIn, takeStatistics } from '../../../test/plans.ts';
import { aWorld } from '../../../test/world.ts';
import type { Tx } from '../../platform/db.ts';
import { dueCampaigns } from './store.ts';
import { eventPage } from './store-events.ts';
import { claimable, lastOutcomes, linesByProvider, newestLine, orphans, stillWaiting, textedSince, anyUnfiled, unfiled } from './store-ledger.ts';
import { aSender, type Sender } from './test-campaigns.ts';

/** Plans are what stays true on a noisy machine: whatever is asked for every batch or page walks an index, however long the ledger is. */
const world = await aWorld();
const size = 20_000;
const campaign = 7;
let s: Sender;

beforeAll(async () => {
  s = await aSender(world, 0);
  await world.house.db.system(async (tx) => {
    await sql`insert into campaign (company_id, id, title, state, number_id, wake_at, created_at, updated_at) select ${s.company.id}, n, 'Campaign ' || n, case when n = 7 then 'sending' else 'sent' end, ${s.number}::bigint, case when n = 7 then now() end, now(), now() from generate_series(1, 3000) n`.execute(tx);
    await sql`insert into campaign_recipient (company_id, id, campaign_id, to_number, zone, state, skip_reason, handed_at, claimed_at, provider_message_id, carrier, item_id)
      select ${s.company.id}, n, case when n <= ${size / 2}::int then 7 else 1 + n % 6 end, '+1' || (2120000000 + n), case when n % 3 = 0 then 'America/New_York' else 'America/Los_Angeles' end,
        case when n <= 6000 then 'pending' when n <= 6050 then 'skipped' when n % 400 = 0 then 'failed' when n % 401 = 0 then 'unknown' else 'delivered' end, case when n > 6000 and n <= 6050 then 'blocked' end,
        case when n > 6050 then now() - n * interval '1 second' end, case when n > 6050 then now() - n * interval '1 second' end, case when n > 6050 then 'p-' || n end, 'sandbox', case when n > 6050 and n % 500 <> 1 then n end from generate_series(1, ${size}::int) n`.execute(tx);
  });
  await takeStatistics(world, ['campaign', 'campaign_recipient', 'contact']);
}, 180_000);

const plans = plansIn(world, () => s.company.id);
const plansOf = async (ask: (tx: Tx) => Promise<unknown>, as: 'application' | 'system' = 'application') => (await plans(ask, as)).join('\n\n');
/** No step of a plan may read the whole ledger, or sort more than a page of it. */
const walks = (plan: string, index: string) => {
  expect(plan).toContain(index);
  expect(plan).not.toMatch(/Seq Scan on campaign_recipient/);
  const most = Math.max(...[...plan.matchAll(/(?:Index|Bitmap Heap).*campaign_recipient.*\(actual rows=(\d+)/g)].map((m) => Number(m[1])), 0);
  expect(most, plan).toBeLessThanOrEqual(400);
};
const mine = () => s.company.id;

test('claiming walks the waiting of the open zones', async () => walks(await plansOf((tx) => claimable(tx, mine(), campaign, ['America/New_York', 'America/Los_Angeles'], 200)), 'campaign_recipient_waiting'));
test('and knows at once which zones still wait', async () => walks(await plansOf((tx) => stillWaiting(tx, mine(), campaign, ['America/New_York', 'America/Los_Angeles', 'America/Denver'])), 'campaign_recipient_waiting'));
test('the last outcomes are the newest two hundred', async () => walks(await plansOf((tx) => lastOutcomes(tx, mine(), campaign, 200, null)), 'campaign_recipient_tried'));
test.each(['pending', 'delivered', 'failed', 'skipped', 'unknown'] as const)('a page of events that are %s', async (flag) => walks(await plansOf((tx) => eventPage(tx, mine(), campaign, { flag, search: undefined, desc: false, limit: 10, offset: 0 })), 'campaign_recipient'));
test('a page of all events', async () => walks(await plansOf((tx) => eventPage(tx, mine(), campaign, { flag: 'all', search: undefined, desc: false, limit: 10, offset: 0 })), 'campaign_recipient'));
test('who got a text lately', async () => walks(await plansOf((tx) => textedSince(tx, mine(), 1, Array.from({ length: 100 }, (_, i) => `+1${2_120_009_000 + i}`), new Date(Date.now() - 86_400_000))), 'campaign_recipient_number'));
test('whose answer it is', async () => walks(await plansOf((tx) => newestLine(tx, mine(), '+12120009000', new Date(), s.number)), 'campaign_recipient_number'));
test('what still has to go into the inbox', async () => walks(await plansOf((tx) => unfiled(tx, mine(), campaign, 200, new Date())), 'campaign_recipient_unfiled'));
test('whether anything waits for its receipt', async () => walks(await plansOf((tx) => anyUnfiled(tx, mine(), campaign, [1, 2])), 'campaign_recipient_unfiled'));
test('the system’s questions: what is due, whose claims are orphans, whose receipt it is', async () => {
  walks(await plansOf((db) => orphans(db, { pulseSeconds: 10, seconds: 120 }), 'system'), 'campaign_recipient_claimed');
  walks(await plansOf((db) => linesByProvider(db, 'sandbox', ['p-9000', 'p-9001']), 'system'), 'campaign_recipient_provider');
  expect(await plansOf((db) => dueCampaigns(db, new Date(), 100), 'system')).toContain('campaign_due');
});
