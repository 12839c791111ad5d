import { expect, it, describe } from 'vitest';
import { systemSources } from '#contract/tracking/rules';
import { classify } from './classify.ts';
import { isUsablePattern } from './company-rules.ts';
import { landingsByParameters, type ExpectedLandings } from './landings.data.ts';
import { landingsByReferrer } from './referrers.data.ts';
import type { KnownSource, SiteSettings } from './types.ts';

const home = 'https://www.harbordental.example';
const site: SiteSettings = {
  sources: [],
  domains: ['*.harbor-smiles.example'],
  parameterNames: {},
};
/** `?a=b < https://…`: a query or an address, and the referrer. */
function visit(landing: string) {
  const [url = '', referrer = null] = landing.split(' < ');
  return { url: /^[?/#](?!\/)/.test(url) ? home + url.replace(/^([?#])/, '/$1') : url, referrer };
}
const of = (landing: string, more: Partial<SiteSettings> = {}) =>
  classify(visit(landing), { ...site, ...more });

const table: ExpectedLandings[] = [...landingsByParameters, ...landingsByReferrer];
const rows = table.flatMap(({ source, rule, landings }) =>
  landings.map((landing) => ({ landing, source, rule })),
);

describe('the source of a landing', () => {
  it.each(rows)('$landing → $source by $rule', ({ landing, source, rule }) => {
    const found = of(landing);
    expect({ source: found.source.key, rule: found.ruleId }).toEqual({ source, rule });
  });

  it('is tested with at least 300 landings, different ones, and every system source', () => {
    expect(new Set(rows.map((row) => row.landing)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThanOrEqual(300);
    const reached = new Set(rows.map((row) => row.source));
    expect(systemSources.map(({ key }) => key).filter((key) => !reached.has(key))).toEqual([]);
  });
});

const own = (id: number, rules: KnownSource['rules']): KnownSource => ({
  id,
  key: `own_${id}`,
  label: `Own ${id}`,
  kind: 'offline',
  group: 'offline',
  rules,
});

describe('rules of the company', () => {
  const sources = [
    own(901, [{ id: 'own.901.1', on: 'url', match: 'contains', name: null, value: '/Spring' }]),
    own(902, [{ id: 'own.902.1', on: 'param', match: 'equals', name: 'src', value: 'KROK' }]),
    own(903, [
      { id: 'own.903.1', on: 'referrer', match: 'host', name: null, value: 'partner.example' },
    ]),
    own(904, [
      { id: 'own.904.1', on: 'url', match: 'regex', name: null, value: '/(tv|radio)/\\d+$' },
    ]),
    own(905, [
      {
        id: 'own.905.1',
        on: 'url',
        match: 'equals',
        name: null,
        value: 'https://harbordental.example/Mailer/',
      },
    ]),
  ];
  const key = (landing: string) => of(landing, { sources }).ruleId;

  it('on the page decide before click IDs and tags, in the order of the sources', () => {
    expect(key('/spring-offer?gclid=abc')).toBe('own.901.1');
    expect(key('/spring?src=krok')).toBe('own.901.1');
    expect(key('/?SRC=Krok&utm_source=google&utm_medium=cpc')).toBe('own.902.1');
    expect(key('/?src=krok2')).toBe('nothing.direct');
    expect(key('/tv/12')).toBe('own.904.1');
    expect(key('/tv/12x')).toBe('nothing.direct');
    expect(key('/mailer')).toBe('own.905.1');
    expect(key('/mailer?x=1')).toBe('nothing.direct');
  });

  it('on the referrer decide after tags and before known websites', () => {
    expect(key('/ < https://www.partner.example/list')).toBe('own.903.1');
    expect(key('/ < https://notpartner.example/')).toBe('referrer.other');
    expect(key('/?utm_source=google < https://partner.example/')).toBe('utm.source');
    expect(key('/?utm_source=nobody-knows < https://partner.example/')).toBe('own.903.1');
  });

  it('that are patterns are refused when they are wrong, and can’t be slow', () => {
    expect(['(', 'a{2', '(?=x)', '(a)\\1'].map(isUsablePattern)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    const slow = [own(1, [{ id: 'r', on: 'url', match: 'regex', name: null, value: '(a+)+$' }])];
    // Backtracking would never come to an end.
    expect(of(`/${'a'.repeat(8000)}!`, { sources: slow }).ruleId).toBe('nothing.direct');
  });
});

describe('rules that lost', () => {
  const lost = (landing: string) =>
    of(landing).lost.map(({ ruleId, why, sourceKey }) => [ruleId, why, sourceKey]);

  it('say why', () => {
    expect(lost('?gclid=abc&utm_source=bing&utm_medium=cpc < https://www.google.com/')).toEqual([
      ['utm.source', 'decided_earlier', 'bing_ads'],
      ['referrer.known', 'decided_earlier', 'google_organic'],
    ]);
    expect(lost('?fbclid=abc&utm_medium=social')).toEqual([
      ['click.fbclid.paid', 'needs_paid_medium', 'facebook_ads'],
    ]);
    expect(lost('?utm_source=not-linkedin < https://www.linkedin.com/')).toEqual([
      ['utm.source', 'unknown_value', null],
    ]);
    expect(lost('?gclid= < https://example.net/')).toEqual([
      ['click.gclid', 'empty_value', 'google_ads'],
    ]);
    expect(lost('/ < https://www.paypal.com/')).toEqual([
      ['referrer.return', 'return_visit', null],
    ]);
    expect(lost('/ < https://harbordental.example/')).toEqual([
      ['referrer.own', 'same_site', null],
    ]);
    expect(lost('/ < ht!tp://%%')).toEqual([['referrer.known', 'unreadable', null]]);
    expect(lost('/')).toEqual([]);
  });

  it('leave no new touch to whoever was already here', () => {
    const isNew = (landing: string) => of(landing).isNewTouch;
    expect(isNew('/')).toBe(true);
    expect(isNew('/ < https://www.google.com/')).toBe(true);
    expect(isNew('/ < https://harbordental.example/')).toBe(false);
    expect(isNew('/?gclid=abc < https://www.paypal.com/')).toBe(false);
  });
});

describe('medium, campaign, term and content', () => {
  it('are those of the link, and the medium of the source where the link has none', () => {
    expect(
      of('?utm_source=google&utm_medium=CPC&utm_campaign=Spring+Sale&utm_term=a&utm_content=b'),
    ).toMatchObject({
      medium: 'CPC',
      campaign: 'Spring Sale',
      term: 'a',
      content: 'b',
    });
    expect(of('?gclid=abc').medium).toBe('cpc');
    expect(of('?gclid=abc&utm_medium=email').medium).toBe('cpc');
    expect(of('/ < https://www.google.com/').medium).toBe('organic');
    expect(of('/').medium).toBeNull();
  });

  it('come from the parameters the pool names, first present wins', () => {
    const parameterNames = { source: ['src', 'utm_source'], campaign: ['cmp'] };
    const found = of('?src=fb&utm_source=google&cmp=Recall&utm_campaign=x', { parameterNames });
    expect([found.source.key, found.campaign]).toEqual(['facebook_organic', 'Recall']);
    expect(of('?utm_source=google', { parameterNames }).source.key).toBe('google_organic');
  });

  it('keep every click ID, whichever rule decided', () => {
    expect(of('?gclid=a&FBCLID=b&msclkid=').clickIds).toEqual({ gclid: 'a', fbclid: 'b' });
  });

  it('never throw for what strangers send', () => {
    for (const url of [
      '\u0000',
      '?'.repeat(10_000),
      `?${'a=b&'.repeat(5000)}`,
      '\ud800',
      '#?#?',
      '%',
    ])
      for (const referrer of [
        '\u0000',
        'x'.repeat(20_000),
        'http://\ud800/',
        '://',
        'android-app://',
      ])
        expect(classify({ url, referrer }, site).source.key).toBeTypeOf('string');
  });
});
