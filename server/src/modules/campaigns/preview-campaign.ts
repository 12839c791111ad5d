import type { Body } from '#contract';
import type { CampaignPreview } from '#contract/campaigns/schemas';
import type { previewUnsaved as said } from '#contract/campaigns/endpoints';
import { sendProblems } from '#contract/campaigns/rules';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { isKnownZone } from '../companies/index.ts';
import { areDetailsMasked } from '../contacts/index.ts';
import { estimate, type CampaignDraft } from './estimate.ts';
import { visibilityOf, numberSendProblem } from './sendable.ts';
import { campaignById } from './store.ts';
import { companyAccountOf, sendingNumbers } from './store-senders.ts';
import { groupsByIds } from './store-audience.ts';

/** Previews a saved campaign. `not_found` when the user may not see it. */
export async function previewCampaign(t: TxCtx, id: number): Promise<{ data: CampaignPreview }> {
  return preview(t, (await campaignById(t.tx, t.companyId, id, visibilityOf(t))) ?? notFound());
}
/**
 * Previews what is in the editor. Fails with a field error when the group or the number is gone.
 */
export async function previewUnsaved(
  t: TxCtx,
  body: Body<typeof said>,
): Promise<{ data: CampaignPreview }> {
  const groups = body.groups ?? [];
  const known = await groupsByIds(t, groups);
  if (groups.some((g) => !known.has(g)))
    invalid({ groups: 'This group no longer exists. Choose another.' });
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
    quiet_hours: (body.quiet_hours ?? null) as CampaignDraft['quiet_hours'],
    timezone: body.timezone && isKnownZone(body.timezone) ? body.timezone : null,
  });
}

async function preview(
  t: TxCtx,
  c: CampaignDraft & { title: string },
): Promise<{ data: CampaignPreview }> {
  const account = await companyAccountOf(t.tx, t.companyId);
  const problems = sendProblems(
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
  const number = c.number_id ? await numberSendProblem(t, c.number_id) : null;
  if (number) problems['number_id'] = number;
  const estimated = await estimate(t, c);
  // Without permission for contact details, the preview shows no one's.
  return {
    data: {
      ...estimated,
      ...(areDetailsMasked(t) ? { first_three_rendered: [] } : {}),
      problems: Object.fromEntries(Object.entries(problems).map(([k, v]) => [k, [v]])),
    },
  };
}
