/**
 * Calls as conversions of Meta's ads, by the Conversions API. Built from its public reference
 * (developers.facebook.com/docs/marketing-api/conversions-api); no live account has been used.
 */
import { z } from 'zod';
import { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import type { AdClick, DeliveryFacts, Destination, Speech } from '../../gateways/destination.ts';
import { jsonRequest, readAnswer, sha256 } from '../shared/answers.ts';
import type { Conversion } from '../shared/conversion-platform.ts';
import { conversionDestination } from '../shared/conversions.ts';
import { failed, graphApi, isEnded } from './api.ts';

const account = oauthConfigs.metaads;
const metaConfig = account.omit({ business_id: true, ad_account_id: true });
type MetaConfig = z.infer<typeof metaConfig>;

/** "If any event_time is greater than 7 days in the past, we return an error for the entire request." */
const DAYS_BACK = 7;

/** A number as Meta compares it: digits with the country, hashed. Null: it is hidden. */
const phoneHash = ({ party }: DeliveryFacts): string | null =>
  party.startsWith('+') ? sha256(party.slice(1)) : null;
const emailHash = ({ contact }: DeliveryFacts): string | null =>
  contact?.email ? sha256(contact.email.trim().toLowerCase()) : null;

/** Meta's cookie of the click, or what it would hold; its form is `fb.1.{moment}.{fbclid}`. */
const fbcOf = ({ ids, cookies, at }: AdClick): string =>
  cookies['_fbc'] ?? `fb.1.${at.getTime()}.${ids['fbclid']}`;

/** What Meta finds a person by. */
function userData({ click }: Conversion, { facts, config }: Speech<MetaConfig>) {
  const fbp = (click ?? facts).cookies['_fbp'];
  const phone = config.hash_phone ? phoneHash(facts) : null;
  const email = config.hash_email ? emailHash(facts) : null;
  return {
    ...(config.send_fbc_fbp && click && { fbc: fbcOf(click) }),
    ...(config.send_fbc_fbp && fbp && { fbp }),
    ...(phone && { ph: [phone] }),
    ...(email && { em: [email] }),
  };
}

const taken = z.object({ events_received: z.number() });

export const metaDestination: Destination<MetaConfig> = {
  name: 'metaads',
  config: metaConfig,
  isUnauthorized: isEnded,
  places(stored) {
    const { business_id: _, ad_account_id: __, ...config } = account.parse(stored);
    const dataset = config.pixel_or_dataset_id;
    if (dataset === null) return [];
    return [{ key: dataset, name: `Dataset ${dataset}`, config, rules: config.rules }];
  },
  ...conversionDestination<MetaConfig>({
    label: 'Meta Ads',
    clickIds: ({ send_fbc_fbp: sends }) => (sends ? ['fbclid'] : []),
    placeOf: (_, { pixel_or_dataset_id: dataset }) => dataset,
    knowsWithoutClick: (facts, config) =>
      (config.hash_phone && phoneHash(facts) !== null) ||
      (config.hash_email && emailHash(facts) !== null),
    refuses: ({ happenedAt }, now) =>
      now.getTime() - happenedAt.getTime() < DAYS_BACK * 86_400_000
        ? null
        : `Meta takes conversions of the last ${DAYS_BACK} days only.`,
    upload: (conversion, speech) => {
      const { facts, config } = speech;
      const { pixel_or_dataset_id: dataset, test_event_code: test } = config;
      return jsonRequest('POST', `${graphApi}/${encodeURIComponent(dataset ?? '')}/events`, {
        data: [
          {
            event_name: config.event_name,
            event_time: Math.floor(facts.happenedAt.getTime() / 1000),
            // Meta counts one of this name and ID.
            event_id: String(facts.subject.id),
            action_source: config.action_source,
            user_data: userData(conversion, speech),
            ...(conversion.valueCents !== null && {
              custom_data: { currency: 'USD', value: conversion.valueCents / 100 },
            }),
          },
        ],
        ...(test && { test_event_code: test }),
      });
    },
    // Meta has no way to change or take back an event.
    read: (answer) =>
      readAnswer(answer, taken)?.events_received === 1
        ? { state: 'sent', shown: JSON.stringify({ events_received: 1 }) }
        : failed(answer),
    pretend: () => ({ status: 200, body: '{"events_received":1}', retryAfterSeconds: null }),
  }),
};
