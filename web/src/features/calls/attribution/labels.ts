import type { tracking } from '#contract';
import { t } from '#ui';

/** How a call was matched to a visit, in a sentence. */
export const matchSentence = (label: tracking.MatchLabel, isKnown: boolean): string =>
  ({
    exact: t('Only this visitor was seeing the number.'),
    recent: t('This visitor saw the number last.'),
    returning: t('The caller is known from an earlier call, and this is that visitor.'),
    ambiguous: t('Several visitors saw the number. This one is the likeliest.'),
    number_level: isKnown
      ? t('The number is shown to visitors of this source only.')
      : t('No visit fits this call.'),
  })[label];

/** What a match rests on, in words. */
export const evidenceText = ({ fact, value }: tracking.Evidence): string =>
  ({
    number_shown: t('The page showed the number'),
    page_last_open: t('The page was last open'),
    number_hidden: t('The page stopped showing the number'),
    known_caller: t('The caller called from a page of this visitor'),
    number_shared: t('{n} visitors saw the number', { n: value }),
    source_rule: value
      ? t('The visit’s source was decided by {fact}', { fact: value })
      : t('The visit’s source was decided'),
    fixed_source: t('The number is shown to visitors of {source}', { source: value }),
  })[fact];

/** How many pages a visit looked at. */
export const pagesText = (pages: number): string =>
  t('{pages, plural, one {# page} other {# pages}}', { pages });

/** A page as people read it: without scheme and query. */
export function pageText(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host.replace(/^www\./, '')}${pathname === '/' ? '' : pathname}`;
}
