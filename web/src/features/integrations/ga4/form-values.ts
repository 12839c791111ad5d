import type { UseFormReturnType } from '@mantine/form';
import type { Answer, BodyIn, ga4 as contract } from '#contract';
import type { DeliveryEvent } from '#contract/integrations/rules';

export type Ga4 = Answer<typeof contract.listGa4Integrations>['data'][number];

/** What the dialog edits. */
export interface Values {
  name: string;
  measurementId: string;
  apiSecret: string;
  events: DeliveryEvent[];
  minDuration: number | string;
  clientIdPolicy: 'require' | 'generate';
  hasConsent: boolean;
  sendValue: boolean;
  enabled: boolean;
}

export type Form = UseFormReturnType<Values>;

/** The form of an integration; undefined: of a new one. */
export const valuesOf = (of: Ga4 | undefined): Values => ({
  name: of?.name ?? '',
  measurementId: of?.measurementId ?? '',
  apiSecret: '',
  events: of?.events.map(({ trigger }) => trigger) ?? ['call.completed'],
  minDuration: of?.events[0]?.minDuration ?? 0,
  clientIdPolicy: of?.clientIdPolicy ?? 'generate',
  hasConsent: of?.consent.ad_user_data === 'GRANTED',
  sendValue: of?.events.some((event) => event.sendValue) ?? false,
  enabled: of?.enabled ?? true,
});

/** What the API gets for the form; what it has no field for stays. */
export function bodyOf(
  values: Values,
  of: Ga4 | undefined,
): BodyIn<typeof contract.createGa4Integration> {
  const consent = values.hasConsent ? 'GRANTED' : 'DENIED';
  return {
    ...(of && {
      ...{ propertyId: of.propertyId, scope: of.scope, parameters: of.parameters },
      ...{ userProperties: of.userProperties, sendSessionId: of.sendSessionId },
      ...{ sendUserIdHash: of.sendUserIdHash, nonPersonalizedAds: of.nonPersonalizedAds },
      debugMode: of.debugMode,
    }),
    name: values.name,
    measurementId: values.measurementId.trim(),
    ...(values.apiSecret && { apiSecret: values.apiSecret.trim() }),
    enabled: values.enabled,
    clientIdPolicy: values.clientIdPolicy,
    consent: { ad_user_data: consent, ad_personalization: consent },
    events: values.events.map((trigger) => ({
      ...of?.events.find((event) => event.trigger === trigger),
      trigger,
      minDuration: Number(values.minDuration) || 0,
      sendValue: values.sendValue,
    })),
  };
}
