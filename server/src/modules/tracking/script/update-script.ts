import { tracking as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { getScript } from './get-script.ts';
import { isScriptEnabled, setScriptEnabled } from './store.ts';

/** Switches the script of a company's websites on or off. */
export async function updateScript(
  ctx: TxCtx,
  { isEnabled }: Body<typeof contract.updateScript>,
): Promise<Answer<typeof contract.updateScript>> {
  const { tx, companyId, now } = ctx;
  const before = await isScriptEnabled(tx, companyId);
  if (before !== isEnabled) {
    await setScriptEnabled(tx, companyId, isEnabled, now);
    await audit(ctx, 'tracking_script.changed', `company:${companyId}`, {
      before: { isEnabled: before },
      after: { isEnabled },
    });
    await ctx.publish(contract.scriptChanged, { companyId, isEnabled });
  }
  return getScript(ctx);
}
