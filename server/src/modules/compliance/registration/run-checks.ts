import type { CheckResult } from '#contract/compliance/registration/schemas';
import { registrationChecks } from '#contract/compliance/registration/lists';
import { isTollFree } from '#contract/phone';
import {
  hasVisibleProof,
  hasProof,
  mentionsBrand,
  checkPrivacyPage,
  mentionsStop,
  type BrandFacts,
  type CampaignFacts,
} from '#contract/compliance/registration/rules';
import type { PageResult } from '../../../gateways/web-pages.ts';

/**
 * What the checks need to know of a number; `number` is formatted for display, category 3 is fax.
 */
export interface NumberCapabilities {
  number: string;
  category: number;
  live: boolean;
  sms_enabled: boolean;
}

const isReachable = (page: PageResult): page is Extract<PageResult, { ok: true }> =>
  page.ok && page.status < 400;

/** How to fix a page that could not be read, as shown to the user. */
function unreachableFix(page: PageResult): string {
  if (page.ok) return `It returned error ${page.status}. Correct the address or the page.`;
  if (page.why === 'private_address')
    return 'It leads to a private network. Enter an address that everyone can open.';
  if (page.why === 'too_many_redirects')
    return 'It redirects too many times. Enter the final address.';
  return 'It didn’t respond. Correct the address, or bring the site online.';
}

const result = (
  code: CheckResult['code'],
  fix: string | null,
  field: string,
  simulated = false,
): CheckResult => ({
  code,
  ok: fix === null,
  title: registrationChecks[code],
  fix,
  field,
  simulated,
});

function checkWebsite(site: PageResult): CheckResult {
  const fix = isReachable(site) ? null : unreachableFix(site);
  return result('website', fix, 'brand.website', site.simulated);
}

function checkPrivacy(page: PageResult): CheckResult {
  return result('privacy', privacyFix(page), 'campaign.privacy_url', page.simulated);
}
function privacyFix(page: PageResult): string | null {
  if (!isReachable(page)) return unreachableFix(page);
  const findings = checkPrivacyPage(page.text);
  if (!findings.sms) return 'Mention on this page that you send texts (SMS), and why.';
  if (!findings.notShared)
    return 'State on this page that phone numbers and SMS consent aren’t shared with third parties.';
  return null;
}

function checkSamples(brand: BrandFacts, campaign: CampaignFacts): CheckResult {
  const hasGoodSample = campaign.sample_messages.some(
    (sample) => mentionsBrand(sample, brand) && mentionsStop(sample),
  );
  const name = brand.dba || brand.legal_name || 'your business name';
  return result(
    'samples',
    hasGoodSample
      ? null
      : `Include ${name} in a sample message and end it with “Reply STOP to stop.”`,
    'campaign.sample_messages',
  );
}

function checkOptIns(campaign: CampaignFacts, numbers: readonly NumberCapabilities[]): CheckResult {
  if (campaign.optins.length === 0)
    return result('opt_in', 'Enter how people agree to receive texts.', 'campaign.optins');
  // Toll-free reviewers require a picture or web page of the opt-in, whatever its type.
  const hasRequiredProof = numbers.some((n) => isTollFree(n.number)) ? hasVisibleProof : hasProof;
  const firstWithoutProof = campaign.optins.findIndex((optIn) => !hasRequiredProof(optIn));
  if (firstWithoutProof < 0) return result('opt_in', null, 'campaign.optins');
  return result(
    'opt_in',
    'Add a picture, a document or a web address that shows how people opt in.',
    `campaign.optins.${firstWithoutProof}`,
  );
}

function checkNumbers(numbers: readonly NumberCapabilities[]): CheckResult {
  const unfit = numbers.find((n) => !n.live || !n.sms_enabled || n.category === 3);
  return result(
    'numbers',
    unfit ? `${unfit.number} ${unfitReason(unfit)}. Remove it or change it.` : null,
    'campaign.numbers',
  );
}
function unfitReason(number: NumberCapabilities): string {
  if (number.category === 3) return 'is a fax number';
  return number.live ? 'has texting turned off' : 'is not active';
}

/** The free, instant checks before submission (A13). `fix` is null for a check that passes. */
export const runChecks = (facts: {
  brand: BrandFacts;
  campaign: CampaignFacts;
  numbers: readonly NumberCapabilities[];
  site: PageResult;
  privacy: PageResult;
}): CheckResult[] => [
  checkWebsite(facts.site),
  checkPrivacy(facts.privacy),
  checkSamples(facts.brand, facts.campaign),
  checkOptIns(facts.campaign, facts.numbers),
  checkNumbers(facts.numbers),
];
