import { fieldOf, tokenOf, type ReadLanding } from './read-landing.ts';
import { systemSource } from './system-sources.ts';
import { isReturnHost, knownReferrer } from './system-hosts.ts';
import { clickIds, paidMediums, platformOf, sourceMediums } from './system-tokens.ts';
import type { ParameterNames, StepResult } from './types.ts';

const shown = ({ name, value }: { name: string; value: string }): string =>
  `${name}=${value.slice(0, 200)}`;

/** Step 2: what a platform added to the link when it was clicked. */
export function clickIdStep(landing: ReadLanding, names: ParameterNames): StepResult {
  const result: StepResult = { matches: [], lost: [] };
  const isPaid = hasPaidMedium(landing, names);
  const onInstagram = isFromInstagram(landing, names);
  for (const { name, paid, unpaid } of clickIds) {
    const found = landing.parameters.get(name);
    if (!found) continue;
    const ruleId = `click.${name}`;
    const [evidence, step] = [shown(found), 2];
    const keyOf = (key: typeof paid) =>
      onInstagram && name === 'fbclid'
        ? (key.replace('facebook', 'instagram') as typeof paid)
        : key;
    if (!found.value)
      result.lost.push({ ruleId, step, sourceKey: paid, evidence, why: 'empty_value' });
    else if (unpaid && !isPaid) {
      const lost = { ruleId: `${ruleId}.paid`, step, sourceKey: keyOf(paid), evidence };
      result.lost.push({ ...lost, why: 'needs_paid_medium' });
      result.matches.push({ ruleId, step, source: systemSource(keyOf(unpaid)), evidence });
    } else {
      const id = unpaid ? `${ruleId}.paid` : ruleId;
      result.matches.push({ ruleId: id, step, source: systemSource(keyOf(paid)), evidence });
    }
  }
  return result;
}

/** Step 3: what whoever made the link wrote into its parameters. */
export function utmStep(landing: ReadLanding, names: ParameterNames): StepResult {
  const result: StepResult = { matches: [], lost: [] };
  const source = fieldOf(landing, names, 'source');
  const medium = fieldOf(landing, names, 'medium');
  const step = 3;
  const platform = source && platformOf(tokenOf(source.value));
  if (source && platform) {
    const key = hasPaidMedium(landing, names) ? platform.paid : platform.organic;
    const evidence = [source, medium].flatMap((one) => (one ? shown(one) : [])).join(' ');
    result.matches.push({ ruleId: 'utm.source', step, source: systemSource(key), evidence });
  } else if (source)
    result.lost.push({
      ruleId: 'utm.source',
      step,
      sourceKey: null,
      evidence: shown(source),
      why: 'unknown_value',
    });
  const token = medium ? tokenOf(medium.value) : '';
  const named = Object.hasOwn(sourceMediums, token) ? sourceMediums[token] : undefined;
  if (medium && named) {
    const match = { ruleId: 'utm.medium', step, source: systemSource(named) };
    // A mail that says who sent it is still a mail: the medium decides before the sender, except
    // before a business profile, which A8.2 names first.
    const isLater = platform?.organic === 'google_business_profile';
    result.matches[isLater ? 'push' : 'unshift']({ ...match, evidence: shown(medium) });
  }
  return result;
}

const hasPaidMedium = (landing: ReadLanding, names: ParameterNames): boolean => {
  const medium = fieldOf(landing, names, 'medium');
  return medium !== null && paidMediums.has(tokenOf(medium.value));
};

/** Instagram's links carry Facebook's click ID; its own name or its referrer tells them apart. */
function isFromInstagram(landing: ReadLanding, names: ParameterNames): boolean {
  const source = fieldOf(landing, names, 'source');
  if (source) return platformOf(tokenOf(source.value))?.organic === 'instagram_organic';
  return landing.referrer !== null && knownReferrer(landing.referrer) === 'instagram_organic';
}

/** Steps 5 and 6: a referrer that everyone knows, then any other website. */
export function referrerStep(landing: ReadLanding, isOwn: (host: string) => boolean): StepResult {
  const { referrer } = landing;
  const lost = { step: 5, sourceKey: null };
  if (!referrer)
    return {
      matches: [],
      lost: landing.isReferrerBroken
        ? [{ ...lost, ruleId: 'referrer.known', evidence: '', why: 'unreadable' }]
        : [],
    };
  const evidence = referrer.host;
  if (isOwn(referrer.host))
    return { matches: [], lost: [{ ...lost, ruleId: 'referrer.own', evidence, why: 'same_site' }] };
  if (isReturnHost(referrer.host))
    return {
      matches: [],
      lost: [{ ...lost, ruleId: 'referrer.return', evidence, why: 'return_visit' }],
    };
  const other = { ruleId: 'referrer.other', step: 6, source: systemSource('referral'), evidence };
  const known = knownReferrer(referrer);
  return {
    matches: known
      ? [{ ruleId: 'referrer.known', step: 5, source: systemSource(known), evidence }]
      : [other],
    lost: [],
  };
}
