import type { TxCtx } from '../../platform/context.ts';
import { mustBe } from '../../platform/must-be.ts';
import { blockedPairs, hasBlocks } from '../compliance/index.ts';
import { collectStatisticsJob } from './job-kinds.ts';
import { isStale, settingsOf } from './rules.ts';
import { updateCampaignRow, type CampaignRow } from './store.ts';
import { companyAccountOf, sendingNumbers } from './store-senders.ts';
import { insertRecipients, groupsByIds, audienceCondition } from './store-audience.ts';
import { skipRecipients } from './store-recipients.ts';
import { waitingRecipients } from './store-requeue.ts';
import { finishCampaign, pauseFor, publishCampaign } from './campaign-events.ts';

/**
 * Starts a due campaign: writes the group, as it is now, as recipients. More than an hour late, it
 * waits for a person instead.
 */
export async function startCampaign(t: TxCtx, c: CampaignRow): Promise<CampaignRow> {
  if (isStale(c.should_be_sent_at, t.now)) return pauseFor(t, c, 'stale_schedule');
  if (c.started_at) return markStarted(t, c, {});
  const number = (await sendingNumbers(t.tx, t.companyId, [c.number_id ?? 0])).get(
    c.number_id ?? 0,
  );
  if (!number?.live) return finishCampaign(t, c, 'failed', 'The number is no longer yours.');
  const groupId = c.group_ids[0] ?? 0;
  if (!(await groupsByIds(t, [groupId])).has(groupId))
    return finishCampaign(t, c, 'failed', 'The group no longer exists.');
  const account = await companyAccountOf(t.tx, t.companyId);
  const settings = settingsOf(account.settings);
  const zones = await insertRecipients(t.tx, t.companyId, {
    campaignId: c.id,
    condition: await audienceCondition(t, groupId),
    ourNumber: number.number,
    companyZone: account.timezone,
    textedSince: new Date(t.now.getTime() - settings.recentlyTextedHours * 3_600_000),
  });
  await skipBlocked(t, c.id, number.id);
  const started = await markStarted(t, c, { zones, started_at: t.now });
  // A plan made without them reads the whole campaign.
  if (started.total_count >= statisticsFrom)
    await t.enqueue(collectStatisticsJob, {}, { key: collectStatisticsJob.name });
  return started;
}
/** Fewer recipients are read quickly by any plan. */
const statisticsFrom = 500;

async function markStarted(
  t: TxCtx,
  c: CampaignRow,
  more: { zones?: string[]; started_at?: Date },
): Promise<CampaignRow> {
  const row = await updateCampaignRow(t.tx, t.companyId, c.id, {
    ...more,
    state: 'sending',
    wake_at: t.now,
  });
  await publishCampaign(t, row);
  return row;
}

/** Block rules may be prefixes, so each number is checked, if the company has any rules. */
async function skipBlocked(t: TxCtx, campaignId: number, numberId: number): Promise<void> {
  if (!(await hasBlocks(t.tx, t.companyId))) return;
  for (let after = 0; ;) {
    const recipients = await waitingRecipients(t.tx, t.companyId, campaignId, after, 500);
    if (!recipients.length) return;
    const blocked = await blockedPairs(
      t.tx,
      t.companyId,
      recipients.map((l) => ({ numberId, party: l.to_number })),
    );
    await skipRecipients(
      t.tx,
      t.companyId,
      recipients
        .filter((l) => blocked.has(`${numberId}:${l.to_number}`))
        .map((l) => ({ id: l.id, reason: 'blocked' })),
    );
    after = mustBe(recipients.at(-1), 'last recipient of the page').id;
  }
}
