import type { Answer, Body, tracking as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { classify } from '../classification/classify.ts';
import type { KnownSource } from '../classification/types.ts';
import { sourceRows } from './store.ts';

/** The company's own sources as classification needs them. */
export const ownSources = async (ctx: Pick<TxCtx, 'tx' | 'companyId'>): Promise<KnownSource[]> =>
  (await sourceRows(ctx.tx, ctx.companyId)).map(
    ({ id, key, label, kind, source_group, rules }) => ({
      id,
      key,
      label,
      kind,
      group: source_group,
      rules,
    }),
  );

/** What a visit's source would be, with the company's rules as they are now. Stores nothing. */
export async function classifyVisit(
  ctx: TxCtx,
  { url, referrer }: Body<typeof contract.classifyVisit>,
): Promise<Answer<typeof contract.classifyVisit>> {
  const sources = await ownSources(ctx);
  return { data: classify({ url, referrer }, { sources, domains: [], parameterNames: {} }) };
}
