import type { UseFormReturnType } from '@mantine/form';
import type { z } from 'zod';
import type { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import { comesBackBody, comesBackOf, type ComesBack } from '../ComesBackFields.tsx';
import { mapOf, pairsOf } from '../pairs.ts';
import type { Pair } from '../PairFields.tsx';
import { rulesOf, whenOf, type When } from '../WhenFields.tsx';

export type SalesforceConfig = z.input<typeof oauthConfigs.salesforce>;

export interface Values extends When, ComesBack {
  instance: string;
  object: NonNullable<SalesforceConfig['object']>;
  creates: boolean;
  owner: string | null;
  logCalls: boolean;
  logTexts: boolean;
  fields: Pair[];
}
export type Form = UseFormReturnType<Values>;

/** The form of an account, whose name is the host of its org. */
export function valuesOf(config: SalesforceConfig, accountName: string): Values {
  return {
    ...whenOf(config.rules, ['call.completed', 'qualified']),
    instance: config.instance ?? (accountName.endsWith('.salesforce.com') ? accountName : ''),
    ...comesBackOf(config),
    object: config.object ?? 'Lead',
    creates: config.create_if_missing ?? true,
    owner: config.owner_rule ?? null,
    logCalls: config.log_calls ?? true,
    logTexts: config.log_messages ?? false,
    fields: pairsOf(config.field_map),
  };
}

/** What the API gets for the form; what it has no field for stays. */
export const bodyOf = (values: Values, before: SalesforceConfig): SalesforceConfig => ({
  ...before,
  instance: values.instance.trim(),
  ...comesBackBody(values),
  object: values.object,
  create_if_missing: values.creates,
  owner_rule: values.owner,
  log_calls: values.logCalls,
  log_messages: values.logTexts,
  field_map: mapOf(values.fields),
  rules: rulesOf(values, before.rules, {}),
});
