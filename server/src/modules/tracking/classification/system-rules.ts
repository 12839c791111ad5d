import type { SourceRule } from '#contract/tracking/schemas';
import { siteNamesOf } from './system-hosts.ts';
import { clickIds, tokensOf } from './system-tokens.ts';

/** The rules of a source that every company has, in the order in which they are asked, for reading. */
export const systemRules = (key: string): SourceRule[] => [
  ...clickIds
    .filter(({ paid, unpaid }) => paid === key || unpaid === key)
    .map(({ name }): SourceRule => {
      return { id: `click.${name}.${key}`, on: 'param', match: 'present', name, value: '' };
    }),
  ...tokensOf(key).map(({ name, token }): SourceRule => {
    return { id: `${name}.${key}.${token}`, on: 'param', match: 'equals', name, value: token };
  }),
  ...siteNamesOf(key).map((site): SourceRule => {
    return {
      id: `referrer.${key}.${site}`,
      on: 'referrer',
      match: 'host',
      name: null,
      value: site,
    };
  }),
];
