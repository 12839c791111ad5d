import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  statisticsVariants,
  maxReturnedRows,
  explainQueries,
  analyzeAs,
  withoutAutovacuum,
} from '../../../test/support/query-plans.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import type { Tx } from '../../platform/db.ts';
import { campaignById, dueCampaigns } from './store.ts';
import {
  unknownRecipients,
  orphanedRecipients,
  markOrphanedSettled,
  recheckClaims,
} from './store-batches.ts';
import { claimableRecipients, zonesWithWaiting } from './store-claimable.ts';
import {
  hasRecipientsWithoutItem,
  lockRecipientsWithoutItem,
  linkInboxItems,
} from './store-inbox-sync.ts';
import { eventPage } from './store-events.ts';
import {
  latestOutcomes,
  recipientsByIds,
  advanceRecipients,
  latestRecipientOf,
  textedSince,
  type RecipientResult,
} from './store-recipients.ts';
import { createSender, type TestSender } from '../../../test/support/campaigns.ts';

/**
 * Plans can be tested on a busy machine, times can't: each statement that runs per batch, receipt
 * or page reads about as many rows as it returns, however many recipients there are and whatever
 * statistics the planner has.
 */
const app = await createTestApp();
const tables = ['campaign', 'campaign_recipient', 'campaign_batch', 'campaign_requeue', 'contact'];
/**
 * Recipients of the campaign under test: the first 30,000 were claimed, the rest wait. As many
 * texts of other campaigns came before.
 */
const size = 50_000,
  claimed = 30_000;
const campaign = 7;
const zones = ['America/Los_Angeles', 'America/New_York'];
let s: TestSender;

const fill = async (from: number, to: number) =>
  app.services.db.systemTransaction(async (tx) => {
    await sql`insert into campaign_recipient (company_id, id, campaign_id, to_number, zone, state,
        skip_reason, credits, submitted_at, provider_message_id, batch_id, item_id)
    select ${s.company.id},
      n, case when n <= ${size}::int then 7 else 1 + n % 6 end, '+1' || (2120000000 + n),
      case when n % 3 = 0 then 'America/New_York' else 'America/Los_Angeles' end,
      case when n > ${claimed}::int and n <= ${size}::int then 'pending'
          when n % 1000 = 0 then 'skipped' when n % 400 = 0 then 'failed'
          when n % 401 = 0 then 'unknown' when n % 403 = 0 then 'undelivered'
          when n > ${claimed}::int - 1000 then 'handed' else 'delivered' end,
      case when n % 1000 = 0 and (n <= ${claimed}::int or n > ${size}::int) then 'blocked' end, 1,
      case when n <= ${claimed}::int
          or n > ${size}::int then now() - (100000 - n) * interval '1 second' end, 'p-' || n,
        case when n <= ${claimed}::int then 1 + n / 20 end, case when n <= 29000 then n end
    from generate_series(${from}::int, ${to}::int) n`.execute(tx);
  });

beforeAll(async () => {
  s = await createSender(app, 0);
  await withoutAutovacuum(app, tables);
  await app.services.db.systemTransaction(async (tx) => {
    await sql`insert into campaign (company_id, id, title, state, number_id, wake_at, zones,
        reached, last_claim_at, created_at, updated_at)
      select ${s.company.id}, n, 'Campaign ' || n, case when n = 7 then 'sending' else 'sent' end,
        ${s.number}::bigint, case when n = 7 then now() end, case
          when n = 7 then ${zones}::text[] else '{}' end, array[${claimed}::int, ${claimed}::int],
        now() - (case when n > 7 then n else 0 end) * interval '1 hour', now(), now()
          from generate_series(1, 3000) n`.execute(tx);
    // As small as a slow number's. The newest 25 are in flight; the 25 before them wait for receipts.
    await sql`insert into campaign_batch (company_id, id, campaign_id, claimed_by, claimed_at,
        carrier, text_version, recipient_ids, texts, segments, credits, size, finished_at, filed)
      select ${s.company.id}, 1 + b, 7, 'x', now() - (1501 - b) * interval '2 seconds', 'sandbox',
        1, array_agg(n order by n), array_agg('Hi'::text), array_agg(1), array_agg(1), count(*),
        case when b < 1475 then now() end, b < 1450
      from (select n, n / 20 b from generate_series(1, ${claimed}::int) n) n group by b`.execute(
      tx,
    );
  });
}, 180_000);

const plans = explainQueries(app, () => s.company.id);
const mine = () => s.company.id;
const taken = async (
  ask: (tx: Tx) => Promise<unknown>,
  as: 'application' | 'system' = 'application',
) => {
  const found = await plans(ask, as);
  return {
    most: maxReturnedRows(found, /^campaign_(recipient|batch|again)$/),
    text: found.join('\n\n'),
  };
};
const takes = async (
  most: number,
  ask: (tx: Tx) => Promise<unknown>,
  as: 'application' | 'system' = 'application',
) => {
  const found = await taken(ask, as);
  expect(found.most, found.text).toBeLessThanOrEqual(most);
};
const some = (n: number, from = 29_001) => Array.from({ length: n }, (_, i) => from + i);
const handed = (id: number): RecipientResult => ({
  id,
  state: 'delivered',
  providerId: `p-${id}`,
  code: null,
  text: null,
  transient: false,
  batchId: null,
  credits: null,
});

describe.each(statisticsVariants)('on a database that was %s', (state) => {
  beforeAll(async () => {
    if (state === 'never analysed') return fill(1, size + 10_000);
    if (state === 'analysed before the rows came') {
      await app.services.db.systemTransaction((tx) =>
        sql`delete from campaign_recipient where id > 1000`.execute(tx),
      );
      await analyzeAs(app, tables);
      return fill(1001, size + 10_000);
    }
    return analyzeAs(app, tables);
  }, 180_000);
  // A start asks for statistics (decision 0050): until they come, a page may read its campaign, and nothing else.
  const walked = (most: number) => (state === 'never analysed' ? size : most);

  test('claiming reads only the recipients it claims', () =>
    takes(400, (tx) => claimableRecipients(tx, mine(), campaign, zones, [claimed, claimed], 200)));
  test('finding the zones that still wait reads few rows', () =>
    takes(10, (tx) =>
      zonesWithWaiting(tx, mine(), campaign, [...zones, 'America/Denver'], [claimed, claimed, 0]),
    ));
  test('checking claims reads only their recipients', () =>
    takes(100, (tx) => recheckClaims(tx, mine(), campaign, 61, some(100))));
  test('storing responses and receipts reads only their recipients', async () => {
    await takes(1000, (tx) =>
      advanceRecipients(tx, mine(), some(500).map(handed), new Date(), true),
    );
    await takes(500, (tx) => recipientsByIds(tx, mine(), some(500)));
  });
  test('the latest results are read from the newest batches', () =>
    takes(2500, (tx) => latestOutcomes(tx, mine(), campaign, 200, null)));
  test.each([
    ['all', walked(600)],
    ['pending', walked(600)],
    ['sent', walked(600)],
    ['delivered', walked(2100)],
    ['undelivered', 600],
    ['failed', 600],
    ['skipped', 600],
    ['unknown', 600],
  ] as const)('a page of events that are %s', async (flag, most) => {
    for (const desc of [false, true])
      await takes(most, async (tx) =>
        eventPage(tx, (await campaignById(tx, mine(), campaign, null))!, {
          flag,
          search: undefined,
          desc,
          limit: 10,
          offset: 0,
        }),
      );
  });
  test('recently texted contacts', () =>
    takes(800, (tx) =>
      textedSince(
        tx,
        mine(),
        campaign,
        some(100, 51_000).map((n) => `+1${2_120_000_000 + n}`),
        new Date(Date.now() - 3_600_000),
      ),
    ));
  test('the recipient of a reply', () =>
    takes(120, (tx) => latestRecipientOf(tx, mine(), '+12120009000', new Date(), s.number)));
  test('texts to add to the inbox', async () => {
    await takes(1100, (tx) => lockRecipientsWithoutItem(tx, mine(), campaign, 50, new Date()));
    await takes(1100, (tx) => hasRecipientsWithoutItem(tx, mine(), campaign, [1, 2]));
    await takes(1100, (tx) => linkInboxItems(tx, mine(), campaign, []));
  });
  test('system queries: due campaigns, orphaned claims and lost responses', async () => {
    await takes(1100, (db) => orphanedRecipients(db, 120), 'system');
    await takes(1100, (db) => markOrphanedSettled(db, 120), 'system');
    await takes(200, (db) => unknownRecipients(db, 10), 'system');
    if (state === 'analysed')
      expect((await taken((db) => dueCampaigns(db, new Date(), 100), 'system')).text).toContain(
        'campaign_due',
      );
  });
});
