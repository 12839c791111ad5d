import type { Body } from '#contract';
import type { CampaignPreview, previewUnsaved as said } from '#contract/campaigns';
import { whyNotSend } from '#contract/campaign-rules';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, missing } from '../../platform/refuse.ts';
import { knownZone } from '../companies/index.ts';
import { masked } from '../contacts/index.ts';
import { estimate, type Draft } from './estimate.ts';
import { sightOf, whyNotNumber } from './may-send.ts';
import { accountOf, campaignById, sendingNumbers } from './store.ts';
import { groupsByIds } from './store-audience.ts';

/** Of a saved campaign. */
export async function previewCampaign(t: TxCtx, id: number): Promise<{ data: CampaignPreview }> {
  return preview(t, (await campaignById(t.tx, t.companyId, id, sightOf(t))) ?? missing());
}
/** Of what stands in the editor. */
export async function previewUnsaved(
  t: TxCtx,
  body: Body<typeof said>,
): Promise<{ data: CampaignPreview }> {
  const groups = body.groups ?? [];
  const known = await groupsByIds(t, groups);
  if (groups.some((g) => !known.has(g)))
    invalid({ groups: 'This group does not exist any more. Choose another.' });
  const n = body.number_id ?? null;
  if (
    n !== null &&
    (!(await sendingNumbers(t.tx, t.companyId, [n])).has(n) ||
      (t.numbers && !t.numbers.includes(n)))
  )
    invalid({ number_id: 'Choose one of your numbers.' });
  return preview(t, {
    id: 0,
    title: body.title,
    text: body.text,
    unsubscribe_text: body.unsubscribe_text,
    group_ids: groups,
    number_id: n,
    should_be_sent_at: body.should_be_sent_at ? new Date(body.should_be_sent_at) : null,
    media: body.with_media ? [{}] : [],
    quiet_hours: (body.quiet_hours ?? null) as Draft['quiet_hours'],
    timezone: body.timezone && knownZone(body.timezone) ? body.timezone : null,
  });
}

async function preview(t: TxCtx, c: Draft & { title: string }): Promise<{ data: CampaignPreview }> {
  const account = await accountOf(t.tx, t.companyId);
  const problems = whyNotSend(
    {
      title: c.title,
      text: c.text,
      unsubscribe_text: c.unsubscribe_text,
      groups: c.group_ids,
      number_id: c.number_id,
      should_be_sent_at: c.should_be_sent_at?.toISOString() ?? null,
      withMedia: (c.media as unknown[]).length > 0,
    },
    account,
    t.now,
  );
  const number = c.number_id ? await whyNotNumber(t, c.number_id) : null;
  if (number) problems['number_id'] = number;
  const told = await estimate(t, c);
  // Who may not see contacts' details is not shown whose text it is.
  return {
    data: {
      ...told,
      ...(masked(t) ? { first_three_rendered: [] } : {}),
      problems: Object.fromEntries(Object.entries(problems).map(([k, v]) => [k, [v]])),
    },
  };
}
