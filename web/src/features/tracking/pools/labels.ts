import { tracking } from '#contract';
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

/** Page views and events in words. */
export const hitsText = ({ pageViews, events }: tracking.Pool['hits24h']): string =>
  events === 0
    ? t('{n, plural, one {# page view} other {# page views}}', { n: pageViews })
    : t(
        '{n, plural, one {# page view} other {# page views}}, {events, plural, one {# event} other {# events}}',
        { n: pageViews, events },
      );

/** Why what a page sent wasn’t counted. */
export const dropReason = (reason: tracking.DropReason): string =>
  ({
    bot: t('Sent by a bot'),
    unknown_visit: t('The visit was deleted'),
    no_pool: t('The pool was deleted'),
    wrong_site: t('Another website, or a page of one'),
    no_consent: t('The visitor didn’t agree'),
    do_not_track: t('The browser asks not to be tracked'),
    unreadable_page: t('The page’s address can’t be read'),
    visit_over: t('The visit was over'),
    too_many: t('More than {n} in one visit', { n: formatNumber(tracking.hitsPerVisit) }),
    not_storable: t('The text can’t be stored'),
    overloaded: t('Too many at once'),
  })[reason];
