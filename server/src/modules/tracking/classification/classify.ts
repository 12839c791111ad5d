import type { Classification } from '#contract/tracking/schemas';
import { pageRules, referrerRules } from './company-rules.ts';
import { fieldOf, readLanding, tokenOf, type ReadLanding } from './read-landing.ts';
import { clickIdStep, referrerStep, utmStep } from './steps.ts';
import { belongsTo, publisherOf } from './system-hosts.ts';
import { systemSource } from './system-sources.ts';
import { clickIds, paidMediums } from './system-tokens.ts';
import type { Landing, LostRule, Match, SiteSettings } from './types.ts';

/**
 * The source of a visit, the rule that decided and the rules that lost (A8.2). Depends on nothing
 * but its arguments and never throws: a broken address has the source `unknown`.
 */
export function classify(visit: Landing, site: SiteSettings): Classification {
  const landing = readLanding(visit);
  const isOwn = (host: string) => isOwnHost(host, landing, site.domains);
  const clicks = clickIdStep(landing, site.parameterNames);
  const utm = utmStep(landing, site.parameterNames);
  const referrer = referrerStep(landing, isOwn);
  const isOutside = referrer.matches.length > 0;
  const matches = [
    ...pageRules(landing, site.sources),
    ...clicks.matches,
    ...utm.matches,
    // A company can't make its own pages a source of visitors by their referrer.
    ...(isOutside ? referrerRules(landing, site.sources) : []),
    ...referrer.matches,
  ];
  const winner = matches[0] ?? withoutMatch(landing, site);
  const lost: LostRule[] = [
    ...clicks.lost,
    ...utm.lost,
    ...referrer.lost,
    ...matches.slice(1).map(({ source, ...match }): LostRule => ({
      ...match,
      sourceKey: source.key,
      why: 'decided_earlier',
    })),
  ];
  const { rules: _, ...source } = winner.source;
  return {
    source,
    ...textsOf(landing, site, winner),
    referrerHost: landing.referrer?.host ?? null,
    clickIds: clickIdsOf(landing),
    ruleId: winner.ruleId,
    step: winner.step,
    evidence: winner.evidence,
    isNewTouch: landing.referrer === null || isOutside,
    lost: lost.sort((a, b) => a.step - b.step),
  };
}

/** Step 7: nothing says where the visitor comes from, or nothing that we know. */
function withoutMatch(landing: ReadLanding, site: SiteSettings): Match {
  const source = fieldOf(landing, site.parameterNames, 'source');
  if (source)
    return {
      ruleId: 'nothing.tagged',
      step: 7,
      source: systemSource('other'),
      evidence: `${source.name}=${source.value.slice(0, 200)}`,
    };
  if (!landing.page)
    return { ruleId: 'nothing.unreadable', step: 7, source: systemSource('unknown'), evidence: '' };
  return { ruleId: 'nothing.direct', step: 7, source: systemSource('direct'), evidence: '' };
}

/** True for the landing's own host, the site's domains, and caches and translators of them. */
function isOwnHost(host: string, landing: ReadLanding, domains: readonly string[]): boolean {
  const real = publisherOf(host) ?? host;
  const page = landing.page && (publisherOf(landing.page.host) ?? landing.page.host);
  const own = [...(page ? [page] : []), ...domains];
  const isAbove = page !== null && real.includes('.') && belongsTo(page, real);
  return isAbove || own.some((site) => belongsTo(real, site));
}

type Texts = Pick<Classification, 'medium' | 'campaign' | 'term' | 'content'>;

/** Medium, campaign, term and content as written; the medium of the rule where none is. */
function textsOf(landing: ReadLanding, site: SiteSettings, winner: Match): Texts {
  const said = (field: 'medium' | 'campaign' | 'term' | 'content') =>
    fieldOf(landing, site.parameterNames, field)?.value.slice(0, 200) ?? null;
  const medium = said('medium');
  // The click ID proves that it was paid for, whatever the link's author wrote.
  const isContradicted =
    winner.step === 2 && isPaidClick(winner) && !(medium && paidMediums.has(tokenOf(medium)));
  return {
    medium: isContradicted ? 'cpc' : (medium ?? ordinaryMedium(winner)),
    campaign: said('campaign'),
    term: said('term'),
    content: said('content'),
  };
}

const isPaidClick = ({ ruleId }: Match): boolean => ruleId !== 'click.fbclid';

function ordinaryMedium({ source }: Match): string | null {
  switch (source.group) {
    case 'paid_search':
    case 'paid_social':
      return 'cpc';
    case 'organic_search':
    case 'maps':
      return 'organic';
    case 'organic_social':
      return 'social';
    case 'referral':
    case 'email':
    case 'sms':
    case 'video':
    case 'display':
    case 'offline':
      return source.group;
    case 'direct':
    case 'other':
      return null;
  }
}

/** The click IDs of the landing, for conversion uploads, whichever rule decided. */
const clickIdsOf = (landing: ReadLanding): Record<string, string> =>
  Object.fromEntries(
    clickIds.flatMap(({ name }) => {
      const value = landing.parameters.get(name)?.value;
      return value ? [[name, value.slice(0, 500)] as const] : [];
    }),
  );
