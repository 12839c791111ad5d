import type { UseFormReturnType } from '@mantine/form';
import type { z } from 'zod';
import type { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import { configOf } from '../account-form.ts';
import type { Account } from '../AccountActions.tsx';
import { mapOf, pairsOf } from '../pairs.ts';
import type { Pair } from '../PairFields.tsx';
import { rulesOf, whenOf, type When } from '../WhenFields.tsx';

export type HighLevelConfig = z.input<typeof oauthConfigs.gohighlevel>;

interface Values extends When {
  createContact: boolean;
  tags: string[];
  /** `pipeline/stage`, as the list names a stage. */
  stage: string | null;
  logCall: boolean;
  fields: Pair[];
}
export type Form = UseFormReturnType<Values>;

/** The form of an account. */
export function valuesOf(account: Account): Values {
  const config = configOf<HighLevelConfig>(account);
  const { pipeline_id: pipeline, stage_id: stage } = config;
  return {
    ...whenOf(config.rules, ['call.completed', 'message.received', 'qualified']),
    createContact: config.create_contact ?? true,
    tags: config.tags ?? [],
    stage: pipeline && stage ? `${pipeline}/${stage}` : null,
    logCall: config.log_call ?? true,
    fields: pairsOf(config.field_map),
  };
}

/** What the API gets for the form; what it has no field for stays. The account is its location. */
export function bodyOf(values: Values, account: Account): HighLevelConfig {
  const before = configOf<HighLevelConfig>(account);
  const [pipeline = null, stage = null] = values.stage?.split('/') ?? [];
  return {
    ...before,
    location_id: account.account.external_id,
    create_contact: values.createContact,
    tags: values.tags,
    pipeline_id: pipeline,
    stage_id: stage,
    log_call: values.logCall,
    field_map: mapOf(values.fields),
    rules: rulesOf(values, before.rules, {}),
  };
}
