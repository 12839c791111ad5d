import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { withoutAutovacuum } from '../../../test/support/query-plans.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import type { DeliveryReport, MessagingCarrier, OutgoingText } from '../../gateways/messaging.ts';
import { claimRecipients } from './claim-recipients.ts';
import { syncInbox } from './sync-inbox.ts';
import { submitBatch, createRequestSlots } from './submit-batch.ts';
import { receiveReceipts } from '../messaging/index.ts';
import { recipientReceipts } from './recipient-receipts.ts';
import { createResultWriter } from './result-writer.ts';
import { createSender, readCampaign, send } from '../../../test/support/campaigns.ts';

const taken: OutgoingText[] = [];
const messaging: MessagingCarrier = {
  name: 'sandbox',
  isIdempotent: true,
  findByKey: () => Promise.resolve(null),
  fetchMedia: () => Promise.resolve(null),
  send: (text) => {
    taken.push(text);
    return Promise.resolve({ state: 'accepted', providerId: `p-${text.key}` });
  },
};
const app = await createTestApp({ clock: 'still', ports: { messaging } });

test('sending, receipts and inbox sync update recipients in place, without index writes', async () => {
  // Dead row versions can be removed only when no transaction may still see them; autovacuum and
  // analyze may hold them for a while.
  await withoutAutovacuum(app, [
    'campaign',
    'campaign_recipient',
    'contact',
    'contact_group_member',
    'conversation',
    'conversation_item',
    'outbox',
    'opt_out',
  ]);
  const people = 1000;
  const s = await createSender(app, people);
  const { id } = await send(app, s);
  const ctx = systemCtx(app.services, s.company.id, app.notifier);
  // The outbox isn't part of this test, and its relay would hold dead row versions longer.
  const notifier = { markDirty: () => {}, notify: () => {} };
  const settler = createResultWriter(app.services, notifier);
  const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
  await owner.connect();
  /**
   * Waits until all row versions written so far can be removed: every transaction that could still
   * see them has ended, in all databases of this server, because a test in another database holds
   * old versions back as well.
   */
  const quiet = async () => {
    const {
      rows: [then],
    } = await owner.query<{ next: string }>(
      'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
    );
    await expect
      .poll(
        async () =>
          (
            await owner.query(
              `select pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8
      and not exists (select from pg_stat_activity where datname = current_database()
          and pid <> pg_backend_pid() and backend_xmin is not null) as quiet`,
              [then!.next],
            )
          ).rows,
        { timeout: 60_000, interval: 20 },
      )
      .toEqual([{ quiet: true }]);
  };
  const updates = async () =>
    (
      await sql<{
        all: number;
        hot: number;
      }>`select n_tup_upd "all", n_tup_hot_upd hot from pg_stat_user_tables where relname = 'campaign_recipient'`.execute(
        app.services.db.unscoped,
      )
    ).rows[0]!;

  for (let n = 0; taken.length < people && n < 10; n++) {
    const batch = await ctx.transaction((t) =>
      claimRecipients(t, id, { dispatcherId: 'me', limit: 500, unthrottled: true }),
    );
    if (batch)
      await (
        await submitBatch(app.services, notifier, batch, {
          settler,
          slots: createRequestSlots(50),
          mayGo: () => true,
        })
      ).answered;
    await settler.idle();
  }
  for (const state of ['sent', 'delivered'] as const) {
    await quiet();
    await receiveReceipts(
      app.services,
      notifier,
      [recipientReceipts],
      'sandbox',
      taken.map((t): DeliveryReport => ({
        id: `${t.key}:${state}`,
        providerId: `p-${t.key}`,
        key: t.key,
        state,
        code: null,
        reason: null,
        at: 0,
      })),
    );
  }
  await quiet();
  await syncInbox(systemCtx(app.services, s.company.id, notifier), { campaignId: id });
  expect(await readCampaign(app, s, id)).toMatchObject({
    sent_count: people,
    delivered_count: people,
  });

  // Submitted, sent, delivered, in the inbox. PostgreSQL publishes a connection's statistics with a
  // delay.
  await expect
    .poll(async () => (await updates()).all, { timeout: 60_000, interval: 200 })
    .toBe(4 * people);
  const { hot, all } = await updates();
  await owner.end();
  expect(hot / all).toBeGreaterThan(0.95);
});
