import type { tracking } from '#contract';
import { t } from '#ui';

/** The name of a group of sources. */
export const groupName = (group: tracking.SourceGroup): string =>
  ({
    paid_search: t('Paid search'),
    organic_search: t('Organic search'),
    paid_social: t('Paid social'),
    organic_social: t('Organic social'),
    maps: t('Maps'),
    referral: t('Referral'),
    email: t('Email'),
    sms: t('Text messages'),
    display: t('Display'),
    video: t('Video'),
    direct: t('Direct'),
    offline: t('Offline'),
    other: t('Other'),
  })[group];

/** A rule in words. */
export function ruleText({ on, match, name, value }: tracking.SourceRule): string {
  if (on === 'referrer') return t('Visitor comes from {site}', { site: value });
  if (on === 'param')
    return match === 'present'
      ? t('Address has {name}', { name: name ?? '' })
      : t('{name} is “{value}”', { name: name ?? '', value });
  if (match === 'equals') return t('Address is {value}', { value });
  return match === 'regex'
    ? t('Address matches {value}', { value })
    : t('Address contains “{value}”', { value });
}

/** Which of the seven steps of classification a rule belongs to. */
export const stepName = (step: number): string =>
  [
    t('Your rule on the address'),
    t('Click ID'),
    t('Campaign tag'),
    t('Your rule on the referring site'),
    t('Referring site that’s known'),
    t('Referring site'),
    t('Nothing else'),
  ][step - 1] ?? '';

/** Why a rule that looked at a visit didn’t decide. */
export const lostReason = (why: tracking.LostReason): string =>
  ({
    decided_earlier: t('A rule before it decided'),
    unknown_value: t('Isn’t a word we know'),
    needs_paid_medium: t('No paid medium in the address'),
    empty_value: t('Has no value'),
    same_site: t('Is your own site'),
    return_visit: t('Visitors come back from there after paying or signing in'),
    unreadable: t('Can’t be read'),
  })[why];
