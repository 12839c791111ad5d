import type { UseFormReturnType } from '@mantine/form';
import type { z } from 'zod';
import type { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import {
  conversionRules,
  conversionValues,
  type ConversionValues,
} from '../conversions/form-values.ts';

export type GoogleConfig = z.input<typeof oauthConfigs.googleads>;

export interface Values extends ConversionValues {
  customer: string | null;
  /** By which the customer is reached; empty: directly. */
  manager: string;
  /** ID of the conversion action of each event. */
  actions: Record<string, string>;
  sendsPhone: boolean;
  adUserData: boolean;
  adPersonalization: boolean;
}
export type Form = UseFormReturnType<Values>;

/** The form of an account. */
export function valuesOf(config: GoogleConfig): Values {
  const { rules = [], conversion_actions: actions = [], consent } = config;
  return {
    ...conversionValues(config.rules),
    customer: config.customer_id ?? null,
    manager: config.login_customer_id ?? '',
    actions: Object.fromEntries(
      actions.flatMap((one) => {
        const event = rules[one.rule_id]?.event;
        return event ? [[event, one.conversion_action_id] as const] : [];
      }),
    ),
    sendsPhone: config.enhanced_phone_hash ?? false,
    adUserData: consent?.ad_user_data === 'GRANTED',
    adPersonalization: consent?.ad_personalization === 'GRANTED',
  };
}

const given = (isGiven: boolean) => (isGiven ? 'GRANTED' : 'DENIED');

/** What the API gets for the form; what it has no field for stays. */
export function bodyOf(values: Values, before: GoogleConfig): GoogleConfig {
  const rules = conversionRules(values, before.rules);
  return {
    ...before,
    customer_id: values.customer,
    login_customer_id: values.manager.trim() || null,
    conversion_actions: rules.flatMap(({ event }, rule_id) => {
      const id = values.actions[event];
      const value = before.conversion_actions?.find((one) => one.rule_id === rule_id)?.value;
      return id ? [{ rule_id, conversion_action_id: id, value: value ?? null }] : [];
    }),
    enhanced_phone_hash: values.sendsPhone,
    consent: {
      ad_user_data: given(values.adUserData),
      ad_personalization: given(values.adPersonalization),
    },
    rules,
  };
}
