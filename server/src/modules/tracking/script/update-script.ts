import { tracking as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { getScript } from './get-script.ts';
import { formSetting, isScriptEnabled, setForms, setScriptEnabled } from './store.ts';

/**
 * Switches the script of a company's websites on or off, and says which forms become leads. What
 * isn't named stays.
 */
export async function updateScript(
  ctx: TxCtx,
  body: Body<typeof contract.updateScript>,
): Promise<Answer<typeof contract.updateScript>> {
  const { tx, companyId, now } = ctx;
  const before = await settingsOf(ctx);
  const after = {
    isEnabled: body.isEnabled ?? before.isEnabled,
    formsEnabled: body.formsEnabled ?? before.formsEnabled,
    formSelectors: body.formSelectors ?? before.formSelectors,
  };
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    const { isEnabled, formsEnabled, formSelectors } = after;
    if (isEnabled !== before.isEnabled) await setScriptEnabled(tx, companyId, isEnabled, now);
    const forms = { isEnabled: formsEnabled, selectors: formSelectors };
    if (formsEnabled !== before.formsEnabled || body.formSelectors)
      await setForms(tx, companyId, forms, now);
    await audit(ctx, 'tracking_script.changed', `company:${companyId}`, { before, after });
    await ctx.publish(contract.scriptChanged, { companyId, isEnabled });
  }
  return getScript(ctx);
}

async function settingsOf({ tx, companyId }: TxCtx) {
  const forms = await formSetting(tx, companyId);
  return {
    isEnabled: await isScriptEnabled(tx, companyId),
    formsEnabled: forms.isEnabled,
    formSelectors: forms.selectors,
  };
}
