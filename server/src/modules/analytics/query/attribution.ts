import { callAnalyticsLimits } from '#contract/analytics/call-analytics/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { callFacts, firstQualifiedOf } from '../../calls/index.ts';
import {
  creditCalls,
  matchedCalls,
  type MatchedCall,
  type ReportScope,
} from '../../tracking/index.ts';
import type { Question } from './question.ts';
import type { Credit } from './store-figures-of-calls.ts';

const PAGE = 1000;

/**
 * What sources get for the calls to tracking numbers of a span by the question's model. Fails with
 * a field error when they are too many.
 */
export async function creditsOf(
  { tx }: Pick<TxCtx, 'tx'>,
  companyId: number,
  span: Pick<ReportScope, 'from' | 'to' | 'only'>,
  { attributionModel, filters }: Question,
): Promise<Credit[]> {
  const scope = {
    ...span,
    poolIds: filters.dni_pool_ids ?? null,
    numberIds: filters.number_ids ?? null,
  };
  const credits: Credit[] = [];
  let after: { at: Date; id: number } | null = null;
  for (let read = 0; ; read += PAGE) {
    const page: MatchedCall[] = await matchedCalls(tx, companyId, scope, after, PAGE);
    if (read + page.length > callAnalyticsLimits.attributed)
      invalid({ start: 'These are too many calls. Choose fewer days.' });
    const ids = page.map(({ call_id }) => call_id);
    const facts = attributionModel === 'w_shaped' ? await callFacts(tx, companyId, ids) : new Map();
    const qualified = await firstQualifiedOf(tx, companyId, [...facts.values()]);
    for (const one of await creditCalls(tx, companyId, page, attributionModel, qualified))
      for (const touch of one.touches)
        credits.push({
          callId: one.call.call_id,
          sourceKey: touch.source.key,
          sourceLabel: touch.source.label,
          campaign: touch.campaign,
          basisPoints: touch.basisPoints,
        });
    const last = page.at(-1);
    if (!last || page.length < PAGE) return credits;
    after = { at: last.at, id: last.id };
  }
}
