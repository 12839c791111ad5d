import type { TxCtx } from '../../platform/context.ts';
import { blockedAmong, hasBlocks } from '../compliance/index.ts';
import { isStale, settingsOf } from './rules.ts';
import { accountOf, changeCampaign, sendingNumbers, type CampaignRow } from './store.ts';
import { freezeAudience, groupsByIds, whoIsIn } from './store-audience.ts';
import { skipLines } from './store-ledger.ts';
import { linesWaiting } from './store-lines.ts';
import { finish, pauseFor, sayCampaign } from './tell.ts';

/** Its time has come: the group is written into the ledger as it is now. Late by more than an hour it waits for a person. */
export async function startCampaign(t: TxCtx, c: CampaignRow): Promise<CampaignRow> {
  if (isStale(c.should_be_sent_at, t.now)) return pauseFor(t, c, 'stale_schedule');
  if (c.started_at) return began(t, c, {});
  const number = (await sendingNumbers(t.tx, t.companyId, [c.number_id ?? 0])).get(
    c.number_id ?? 0,
  );
  if (!number?.live) return finish(t, c, 'failed', 'The number is no longer yours.');
  const groupId = c.group_ids[0] ?? 0;
  if (!(await groupsByIds(t, [groupId])).has(groupId))
    return finish(t, c, 'failed', 'The group does not exist any more.');
  const account = await accountOf(t.tx, t.companyId);
  const settings = settingsOf(account.settings);
  const zones = await freezeAudience(t.tx, t.companyId, {
    campaignId: c.id,
    who: await whoIsIn(t, groupId),
    ourNumber: number.number,
    companyZone: account.timezone,
    recently: new Date(t.now.getTime() - settings.recentlyTextedHours * 3_600_000),
  });
  await skipBlocked(t, c.id, number.id);
  return began(t, c, { zones, started_at: t.now });
}

async function began(
  t: TxCtx,
  c: CampaignRow,
  more: { zones?: string[]; started_at?: Date },
): Promise<CampaignRow> {
  const row = await changeCampaign(t.tx, t.companyId, c.id, {
    ...more,
    state: 'sending',
    wake_at: t.now,
  });
  await sayCampaign(t, row);
  return row;
}

/** Block rules may be prefixes, so they are looked at number by number, and only where a company has any. */
async function skipBlocked(t: TxCtx, campaignId: number, numberId: number): Promise<void> {
  if (!(await hasBlocks(t.tx, t.companyId))) return;
  for (let after = 0; ;) {
    const lines = await linesWaiting(t.tx, t.companyId, campaignId, after, 500);
    if (!lines.length) return;
    const out = await blockedAmong(
      t.tx,
      t.companyId,
      lines.map((l) => ({ numberId, party: l.to_number })),
    );
    await skipLines(
      t.tx,
      t.companyId,
      lines
        .filter((l) => out.has(`${numberId}:${l.to_number}`))
        .map((l) => ({ id: l.id, reason: 'blocked' })),
    );
    after = lines.at(-1)!.id;
  }
}
