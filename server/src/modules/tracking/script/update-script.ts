import { tracking as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { getScript } from './get-script.ts';
import { sitesOfCompany } from '../hits/store.ts';
import { bareDomain, isBelow } from '../visits/first-party.ts';
import {
  firstPartySetting,
  formSetting,
  isScriptEnabled,
  setFirstParty,
  setForms,
  setScriptEnabled,
} from './store.ts';

/**
 * Switches the script of a company's websites on or off, says which forms become leads and from which
 * subdomain pages load it. What isn't named stays. Fails with 422 for a subdomain of another website.
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
    firstPartyHost: body.firstPartyHost === undefined ? before.firstPartyHost : body.firstPartyHost,
  };
  await checkHost(ctx, body.firstPartyHost ?? null);
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    const { isEnabled, formsEnabled, formSelectors } = after;
    if (isEnabled !== before.isEnabled) await setScriptEnabled(tx, companyId, isEnabled, now);
    const forms = { isEnabled: formsEnabled, selectors: formSelectors };
    if (formsEnabled !== before.formsEnabled || body.formSelectors)
      await setForms(tx, companyId, forms, now);
    if (after.firstPartyHost !== before.firstPartyHost)
      await setFirstParty(tx, companyId, after.firstPartyHost, now);
    await audit(ctx, 'tracking_script.changed', `company:${companyId}`, { before, after });
    await ctx.publish(contract.scriptChanged, { companyId, isEnabled });
  }
  return getScript(ctx);
}

/** Fails with 422 for a host that isn't below one of the company's websites. */
async function checkHost({ tx, companyId }: TxCtx, host: string | null): Promise<void> {
  if (host === null) return;
  const domains = await sitesOfCompany(tx, companyId);
  if (!domains.some((domain) => bareDomain(host) !== bareDomain(domain) && isBelow(host, domain)))
    invalid({ firstPartyHost: 'Enter a subdomain of a website of one of your pools.' });
}

async function settingsOf({ tx, companyId }: TxCtx) {
  const forms = await formSetting(tx, companyId);
  return {
    isEnabled: await isScriptEnabled(tx, companyId),
    formsEnabled: forms.isEnabled,
    formSelectors: forms.selectors,
    firstPartyHost: await firstPartySetting(tx, companyId),
  };
}
