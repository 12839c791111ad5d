/**
 * Calls as offline conversions of Microsoft Ads. Built from its public reference
 * (learn.microsoft.com/advertising/campaign-management-service); no live account has been used.
 */
import { z } from 'zod';
import { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import type { Destination, Speech } from '../../gateways/destination.ts';
import type { OutboundRequest } from '../../gateways/outbound.ts';
import { readAnswer } from '../shared/answers.ts';
import type { Conversion } from '../shared/conversion-platform.ts';
import { conversionDestination } from '../shared/conversions.ts';
import { campaignApi, errorsOf, failed, isEnded, microsoftRequest } from './api.ts';

const account = oauthConfigs.microsoftads;
type MicrosoftConfig = z.infer<typeof account>;

/** "The date and time must be within the last 90 days", of offlineconversion. */
const DAYS_BACK = 90;

const clickOf = ({ click }: Conversion): string | null => click?.ids['msclkid'] ?? null;

/**
 * When a conversion happened. "A single click ID can be associated with the same goal multiple times, as
 * long as the conversion time is different": what was taken back counts again a second later.
 */
const timeOf = (
  { generation }: Conversion,
  { facts }: Pick<Speech<MicrosoftConfig>, 'facts'>,
): Date => new Date(facts.happenedAt.getTime() + generation * 1000);

type MicrosoftSpeech = Speech<MicrosoftConfig>;

/** Applies one thing to the account whose click it was. */
const applied = (
  developerToken: string,
  what: 'OfflineConversions' | 'OfflineConversionAdjustments',
  item: object,
  { config }: MicrosoftSpeech,
): OutboundRequest =>
  microsoftRequest(
    developerToken,
    `${campaignApi}/${what}/Apply`,
    { [what]: [item] },
    { customer: config.customer_id, account: config.account_id },
  );

/** What names a conversion there. */
const named = (conversion: Conversion, speech: MicrosoftSpeech) => ({
  MicrosoftClickId: clickOf(conversion),
  ConversionName: conversion.place,
  ConversionTime: timeOf(conversion, speech).toISOString(),
});

const uploaded = (conversion: Conversion, speech: MicrosoftSpeech) => ({
  ...named(conversion, speech),
  ...(conversion.valueCents !== null && {
    ConversionValue: conversion.valueCents / 100,
    ConversionCurrencyCode: 'USD',
  }),
});

function adjusted(type: 'Restate' | 'Retract', conversion: Conversion, speech: MicrosoftSpeech) {
  // "The adjustment time cannot be earlier than the original conversion".
  const at = Math.max(speech.now.getTime(), timeOf(conversion, speech).getTime());
  return {
    ...named(conversion, speech),
    AdjustmentType: type,
    AdjustmentTime: new Date(at).toISOString(),
    ...(type === 'Restate' && {
      AdjustmentValue: (conversion.valueCents ?? 0) / 100,
      AdjustmentCurrencyCode: 'USD',
    }),
  };
}

/** @param developerToken of the operator, part of every request */
export function microsoftDestination(developerToken: string): Destination<MicrosoftConfig> {
  const adjust =
    (type: 'Restate' | 'Retract') => (conversion: Conversion, speech: MicrosoftSpeech) =>
      clickOf(conversion) === null
        ? null
        : applied(
            developerToken,
            'OfflineConversionAdjustments',
            adjusted(type, conversion, speech),
            speech,
          );
  return {
    name: 'microsoftads',
    config: account,
    isUnauthorized: isEnded,
    places(stored) {
      const config = account.parse(stored);
      const { account_id: key, rules } = config;
      return key === null ? [] : [{ key, name: `Account ${key}`, config, rules }];
    },
    ...conversionDestination<MicrosoftConfig>({
      label: 'Microsoft Ads',
      clickIds: () => ['msclkid'],
      placeOf: (_, { conversion_goal_name: goal }) => goal,
      knowsWithoutClick: () => false,
      refuses: ({ happenedAt }, now) =>
        now.getTime() - happenedAt.getTime() < DAYS_BACK * 86_400_000
          ? null
          : `Microsoft takes conversions of the last ${DAYS_BACK} days only.`,
      upload: (conversion, speech) =>
        applied(developerToken, 'OfflineConversions', uploaded(conversion, speech), speech),
      restate: adjust('Restate'),
      takeBack: adjust('Retract'),
      takesBackForGood: true,
      // What it didn't take of a list comes with status 200.
      read: (answer) =>
        readAnswer(answer, z.looseObject({})) && errorsOf(answer).length === 0
          ? { state: 'sent' }
          : failed(answer),
      pretend: () => ({ status: 200, body: '{"PartialErrors":[]}', retryAfterSeconds: null }),
    }),
  };
}
