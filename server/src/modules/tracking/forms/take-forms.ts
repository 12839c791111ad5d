import { formReceived } from '#contract/tracking/events';
import { publishIn } from '../../../platform/context.ts';
import { itemOfForm } from '../feed/feed-rows.ts';
import type { Hit } from '../hits/hit.ts';
import { pageOf } from '../hits/page-of.ts';
import type { Batch } from '../hits/batch.ts';
import { formSetting } from '../script/store.ts';
import { readForm } from './read-form.ts';
import { countForm } from './store.ts';

/**
 * Forms among the stored events become leads, where the company wants that: published with the
 * batch, so that none is lost. Of one visit only the first few are: anyone can send events.
 */
export async function takeForms(batch: Batch): Promise<void> {
  const sent = [...batch.hits].filter((hit) => hit.kind === 'event' && hit.name === 'form');
  if (sent.length === 0) return;
  const { isEnabled } = await formSetting(batch.tx, batch.companyId);
  if (!isEnabled) return;
  for (const hit of sent)
    if (await countForm(batch.tx, batch.companyId, hit.visitId)) await take(batch, hit);
}

async function take({ tx, companyId, visits, tell }: Batch, hit: Hit): Promise<void> {
  const visit = visits.get(hit.visitId);
  if (!visit || visit.poolId === null) return;
  const { facts, poolId } = visit;
  const form = readForm(hit.data);
  const numberId = facts.number_id ?? visit.defaultNumberId;
  await publishIn(
    tx,
    formReceived,
    {
      ...form,
      ...{ visitId: facts.id, poolId, numberId, at: hit.at.toISOString() },
      page: pageOf(hit.url ?? facts.url),
      source: { key: facts.source_key, label: facts.source_label },
      ...{ medium: facts.medium, campaign: facts.campaign, keyword: facts.term },
    },
    { companyId, ...(numberId !== null && { numberId }) },
  );
  tell(itemOfForm(facts, hit, form.party));
}
