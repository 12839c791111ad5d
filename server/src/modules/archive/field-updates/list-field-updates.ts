import type { Answer, Query, fieldUpdates as contract } from '#contract';
import { listedRuns } from '#contract/archive/field-updates/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { requireChanging } from './acting-as.ts';
import { presentUpdates } from './present.ts';
import { newestUpdates } from './store.ts';
import { templateOf } from './template.ts';

/** The company's last runs, and a template if one is asked for. */
export async function listFieldUpdates(
  t: TxCtx,
  { template }: Query<typeof contract.listFieldUpdates>,
): Promise<Answer<typeof contract.listFieldUpdates>> {
  if (template) requireChanging(t, template);
  return {
    data: await presentUpdates(t, await newestUpdates(t.tx, t.companyId, listedRuns)),
    template: template ? await templateOf(t, template) : null,
  };
}
