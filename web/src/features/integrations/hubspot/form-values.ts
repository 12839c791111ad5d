import type { UseFormReturnType } from '@mantine/form';
import type { z } from 'zod';
import type { hubspotConfig } from '#contract/integrations/oauth-integrations/configs';
import type { CrmField } from '#contract/integrations/oauth-integrations/rules';
import { configOf } from '../account-form.ts';
import type { Account } from '../AccountActions.tsx';
import { comesBackBody, comesBackOf, type ComesBack } from '../ComesBackFields.tsx';
import { mapOf, pairsOf } from '../pairs.ts';
import type { Pair } from '../PairFields.tsx';
import { rulesOf, whenOf, type When } from '../WhenFields.tsx';

export type HubspotConfig = z.input<typeof hubspotConfig>;

interface Values extends When, ComesBack {
  createContact: boolean;
  lifecycleStage: string | null;
  logCall: boolean;
  logSms: boolean;
  fields: Pair[];
  owners: Pair[];
}
export type Form = UseFormReturnType<Values>;

/** The form of an account. */
export function valuesOf(account: Account): Values {
  const config = configOf<HubspotConfig>(account);
  return {
    ...whenOf(config.rules, ['call.completed', 'message.received', 'form', 'qualified']),
    ...comesBackOf(config),
    createContact: config.create_contact ?? true,
    lifecycleStage: config.lifecycle_stage ?? null,
    logCall: config.log_call ?? true,
    logSms: config.log_sms ?? true,
    fields: pairsOf(config.field_map ?? (config.rules ? {} : firstFields)),
    owners: pairsOf(config.owner_map),
  };
}
/** Nothing that an account may lack is written before someone chose it. */
const firstFields: Partial<Record<CrmField, string>> = {
  street: 'address',
  city: 'city',
  state: 'state',
  zip: 'zip',
};

/** What the API gets for the form; what it has no field for stays. */
export function bodyOf(values: Values, account: Account): HubspotConfig {
  const before = configOf<HubspotConfig>(account);
  return {
    ...before,
    ...comesBackBody(values),
    create_contact: values.createContact,
    lifecycle_stage: values.createContact ? values.lifecycleStage : null,
    log_call: values.logCall,
    log_sms: values.logSms,
    field_map: mapOf(values.fields),
    owner_map: mapOf(values.owners),
    rules: rulesOf(values, before.rules, {}),
  };
}
