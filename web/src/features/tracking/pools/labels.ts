import type { tracking } from '#contract';
import { formatNumber, t, type Tone } from '#ui';

/** The name of a pool’s status. */
export const poolStatusName = (status: tracking.PoolStatus): string =>
  ({ active: t('Active'), paused: t('Paused'), archived: t('Archived') })[status];
export const poolStatusTone = (status: tracking.PoolStatus): Tone =>
  ({ active: 'success', paused: 'warn', archived: 'neutral' } as const)[status];

/** What a number in a pool is doing. */
export const slotName = (state: tracking.SlotState): string =>
  ({
    free: t('Free'),
    leased: t('Seen by a visitor'),
    quarantine: t('Resting'),
    static: t('Fixed'),
  })[state];
export const slotTone = (state: tracking.SlotState): Tone =>
  ({ free: 'success', leased: 'accent', quarantine: 'warn', static: 'info' } as const)[state];

/** How a pool’s numbers are used, in words. */
export const useText = ({ use, size }: Pick<tracking.PoolRow, 'use' | 'size'>): string =>
  use.static > 0
    ? t('{n, plural, one {# fixed number} other {# fixed numbers}}', { n: use.static })
    : t('{leased} of {size} seen by visitors, {resting} resting, {free} free', {
        leased: formatNumber(use.leased),
        size: formatNumber(size),
        resting: formatNumber(use.quarantine),
        free: formatNumber(use.free),
      });

/** Why a pool wasn’t asked for a visit. */
export const skipReason = (why: tracking.SkipReason): string =>
  ({
    paused: t('Paused'),
    archived: t('Archived'),
    other_domain: t('Not for this website'),
    path_not_included: t('Not for this page'),
    path_excluded: t('Leaves this page out'),
    other_source: t('For other sources'),
    no_numbers: t('Has no numbers'),
    less_specific: t('Another pool comes first'),
  })[why];

/** Why a visitor gets this number. */
export const choiceReason = (because: tracking.ChoiceReason): string =>
  ({
    static: t('The fixed number of this source'),
    idle_longest: t('Free for the longest time'),
    shared: t('None is free, so it’s shared with the visitor who came first'),
    default: t('None is free, so it’s the default number'),
    none: t('The page keeps its own number'),
  })[because];
