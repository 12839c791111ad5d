/**
 * Calls as conversions of Google Ads, by the Data Manager API: an event is taken, looked at later, and
 * its status read afterwards. Its requests are checked against Google's own .proto files; no live account
 * has been used.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import type { DeliveryRule } from '#contract/integrations/schemas';
import type { Destination, Speech, StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import { jsonRequest, readAnswer, sha256 } from '../shared/answers.ts';
import type { Conversion } from '../shared/conversion-platform.ts';
import { conversionDestination, delayedRules } from '../shared/conversions.ts';
import { dataManagerApi, digitsOf, failed } from './api.ts';

const account = oauthConfigs.googleads;
const googleConfig = account.omit({ upload_delay_hours: true });
type GoogleConfig = z.infer<typeof googleConfig>;

/** Google takes conversions of clicks up to 90 days back. */
const DAYS_BACK = 90;
/** It looks at events within minutes, or takes hours. */
const LOOK_AGAIN_SECONDS = 300;

const clickNames = ['gclid', 'gbraid', 'wbraid'] as const;
const namesOf = (config: GoogleConfig) => clickNames.filter((name) => config[`use_${name}`]);

/** What is set for a rule by its place among the rules. */
function actionOf(rule: DeliveryRule, { rules, conversion_actions: actions }: GoogleConfig) {
  const same = rules.findIndex((one) => isDeepStrictEqual(one, rule));
  // The rule changed since it was queued: the one of its event took its place.
  const at = same >= 0 ? same : rules.findIndex(({ event }) => event === rule.event);
  return actions.find(({ rule_id: place }) => place === at);
}

function ingest(
  { place, valueCents, click }: Conversion,
  { facts, config }: Speech<GoogleConfig>,
  validateOnly: boolean,
): OutboundRequest {
  const name = namesOf(config).find((one) => click?.ids[one]);
  const { consent } = config;
  const phone = config.enhanced_phone_hash && consent.ad_user_data === 'GRANTED';
  const accountOf = (id: string) => ({ accountType: 'GOOGLE_ADS', accountId: digitsOf(id) });
  const login = config.login_customer_id ?? config.customer_id ?? '';
  return jsonRequest('POST', `${dataManagerApi}/events:ingest`, {
    destinations: [
      {
        operatingAccount: accountOf(config.customer_id ?? ''),
        loginAccount: accountOf(login),
        productDestinationId: place,
      },
    ],
    events: [
      {
        // Of one action, Google counts one of an ID; a second one changes its value.
        transactionId: String(facts.subject.id),
        eventTimestamp: facts.happenedAt.toISOString(),
        eventSource: 'PHONE',
        ...(name && { adIdentifiers: { [name]: click?.ids[name] } }),
        ...(phone &&
          facts.party.startsWith('+') && {
            userData: { userIdentifiers: [{ phoneNumber: sha256(facts.party) }] },
          }),
        ...(valueCents !== null && { conversionValue: valueCents / 100, currency: 'USD' }),
        consent: {
          adUserData: `CONSENT_${consent.ad_user_data}`,
          adPersonalization: `CONSENT_${consent.ad_personalization}`,
        },
      },
    ],
    encoding: 'HEX',
    validateOnly,
  });
}

const taken = z.object({ requestId: z.string() });
const looked = z.object({
  requestStatusPerDestination: z
    .array(
      z.looseObject({
        requestStatus: z.string(),
        errorInfo: z
          .looseObject({ errorCounts: z.array(z.looseObject({ reason: z.string() })).optional() })
          .optional(),
      }),
    )
    .min(1),
});

/** Google's reasons why it didn't take an event, and what to do about them. */
const reasons: Readonly<Record<string, string>> = {
  INVALID_GCLID: 'Google doesn’t know the click. It may be of another account, or too old.',
  INVALID_GBRAID: 'Google doesn’t know the click. It may be of another account, or too old.',
  INVALID_WBRAID: 'Google doesn’t know the click. It may be of another account, or too old.',
  OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER:
    'The click is of another Google Ads account. Connect that one, or its manager.',
  EVENT_TOO_OLD: 'The call is too old for this conversion action.',
  NO_CONSENT: 'Google needs consent for it. Set consent in the settings of this account.',
  DENIED_CONSENT: 'Consent was denied, so Google left it out.',
};

/** What Google made of an event. */
function readStatus(answer: OutboundAnswer): StepsVerdict {
  const [status] = readAnswer(answer, looked)?.requestStatusPerDestination ?? [];
  if (!status) return failed(answer);
  const shown = JSON.stringify(status.requestStatus);
  if (status.requestStatus === 'SUCCESS') return { state: 'sent', shown };
  if (status.requestStatus !== 'FAILED' && status.requestStatus !== 'PARTIAL_SUCCESS')
    return {
      state: 'wait',
      seconds: LOOK_AGAIN_SECONDS,
      error: 'Google is still looking at it.',
      shown,
    };
  const [reason = 'UNKNOWN'] = (status.errorInfo?.errorCounts ?? []).map((one) =>
    one.reason.replace(/^PROCESSING_ERROR_(REASON_)?/, ''),
  );
  // It was counted before.
  if (reason.startsWith('DUPLICATE_')) return { state: 'sent', shown: JSON.stringify(reason) };
  return {
    state: 'refused',
    error: reasons[reason] ?? `Google left it out: ${reason}.`,
    shown: JSON.stringify(reason),
  };
}

export const googleDestination: Destination<GoogleConfig> = {
  name: 'googleads',
  config: googleConfig,
  places(stored) {
    const { upload_delay_hours: hours, ...config } = account.parse(stored);
    const { customer_id: customer } = config;
    if (customer === null) return [];
    const rules = delayedRules(config.rules, hours);
    return [{ key: customer, name: `Customer ${customer}`, config: { ...config, rules }, rules }];
  },
  ...conversionDestination<GoogleConfig>({
    label: 'Google Ads',
    clickIds: namesOf,
    placeOf: (rule, config) => actionOf(rule, config)?.conversion_action_id ?? null,
    fixedValue: (rule, config) => actionOf(rule, config)?.value ?? null,
    knowsWithoutClick: ({ party }, { enhanced_phone_hash: sends, consent }) =>
      sends && consent.ad_user_data === 'GRANTED' && party.startsWith('+'),
    refuses: ({ happenedAt }, now) =>
      now.getTime() - happenedAt.getTime() < DAYS_BACK * 86_400_000
        ? null
        : `Google takes conversions of the last ${DAYS_BACK} days only.`,
    upload: (conversion, speech) => ingest(conversion, speech, false),
    // "The new value overwrites the previously recorded value without increasing the count", of
    // devguides/events/google-ads/conversion-adjustments.
    restate: (conversion, speech) => ingest(conversion, speech, false),
    // It has no retraction: the count stays, worth nothing.
    takeBack: (conversion, speech) => ingest({ ...conversion, valueCents: 0 }, speech, false),
    validate: (conversion, speech) => ingest(conversion, speech, true),
    read: (answer) => (readAnswer(answer, taken) ? { state: 'sent' } : failed(answer)),
    later: {
      receiptOf: (answer) => readAnswer(answer, taken)?.requestId,
      ask: (receipt) =>
        jsonRequest(
          'GET',
          `${dataManagerApi}/requestStatus:retrieve?${new URLSearchParams({ requestId: receipt }).toString()}`,
        ),
      read: readStatus,
    },
    pretend: ({ method }) => ({
      status: 200,
      body:
        method === 'POST'
          ? '{"requestId":"…"}'
          : '{"requestStatusPerDestination":[{"requestStatus":"SUCCESS"}]}',
      retryAfterSeconds: null,
    }),
  }),
};
