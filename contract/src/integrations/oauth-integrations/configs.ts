import { z } from 'zod';
import { oauthProviders } from '../../connections/schemas.ts';
import { id } from '../../schemas.ts';
import { deliveryRule, deliveryRules } from '../schemas.ts';
import { crmFields } from './rules.ts';

const externalId = z.string().trim().min(1).max(120);
const optionalId = externalId.nullable().default(null);
const name = z.string().trim().min(1).max(200);
const rules = deliveryRules.default([]);
const consent = z.enum(['GRANTED', 'DENIED']).default('DENIED');
/** Our facts → fields of a CRM, whose names look so. */
const crmFieldMap = (name: RegExp, error: string) =>
  z.partialRecord(z.enum(crmFields), z.string().trim().regex(name, error));
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 18:30.');

/** What comes back from a CRM. */
const comesBack = {
  read_names: z.boolean().default(true).meta({
    description:
      'Names of its people fill in names that are empty here or came from it, never one that was typed or imported',
  }),
  assign_owners: z.boolean().default(false).meta({
    description:
      'Conversations that no one was assigned to get the owner there, by email address, where that is one of the company’s users',
  }),
};

/** A channel of Slack that messages are posted to. */
const slackChannel = z.strictObject({
  id: externalId,
  name: z.string().trim().min(1).max(80),
  rules: z.array(deliveryRule).max(20).default([]),
  template: z.string().trim().max(2000).nullable().default(null).meta({
    description: 'Null: our own words. Names in braces, such as {who}, stand for what is known',
  }),
  alerts: z.boolean().default(false).meta({
    description: 'New alerts of the company are posted there, at most once a day for each subject',
  }),
});
export const slackConfig = z.strictObject({
  team_id: optionalId,
  channels: z.array(slackChannel).max(20).default([]),
  mention: z.enum(['none', 'here', 'channel']).default('none'),
  thread_by_conversation: z.boolean().default(true),
  quiet_hours: z
    .object({ from: time, to: time })
    .nullable()
    .default(null)
    .meta({ description: 'In the company’s time zone; what happens then is posted afterwards' }),
});

export const hubspotConfig = z.strictObject({
  portal_id: optionalId,
  create_contact: z.boolean().default(true).meta({
    description: 'False: calls and texts of people who aren’t in HubSpot are left out',
  }),
  lifecycle_stage: z.string().trim().max(120).nullable().default(null).meta({
    description: 'Of contacts that are created. Null: as HubSpot sets it',
  }),
  log_call: z.boolean().default(true),
  log_sms: z.boolean().default(false),
  field_map: crmFieldMap(/^[a-z][a-z0-9_]{0,99}$/, 'Use the internal name of a contact property.')
    .default({})
    .meta({
      description: 'Our field → contact property. Properties that have a value in HubSpot keep it',
    }),
  owner_map: z
    .record(z.string().max(20), externalId)
    .default({})
    .meta({ description: 'ID of a person here → ID of the owner in HubSpot' }),
  ...comesBack,
  rules,
});

/** What is set of a connected account, by its provider (A16.2). */
export const oauthConfigs = {
  googleads: z.strictObject({
    customer_id: optionalId,
    login_customer_id: optionalId,
    conversion_actions: z
      .array(
        z.strictObject({
          rule_id: z.number().int().min(0).max(19).meta({ description: 'Position in `rules`' }),
          conversion_action_id: externalId,
          value: z.number().min(0).max(10_000_000).nullable().default(null),
        }),
      )
      .max(20)
      .default([]),
    rules,
    use_gclid: z.boolean().default(true),
    use_gbraid: z.boolean().default(true),
    use_wbraid: z.boolean().default(true),
    enhanced_phone_hash: z.boolean().default(false),
    consent: z
      .object({ ad_user_data: consent, ad_personalization: consent })
      .default({ ad_user_data: 'DENIED', ad_personalization: 'DENIED' }),
    upload_delay_hours: z.number().int().min(0).max(72).default(0),
  }),
  microsoftads: z.strictObject({
    account_id: optionalId,
    customer_id: optionalId,
    conversion_goal_name: name.nullable().default(null),
    rules,
  }),
  metaads: z.strictObject({
    business_id: optionalId,
    ad_account_id: optionalId,
    pixel_or_dataset_id: optionalId,
    event_name: name.default('Lead'),
    action_source: z.literal('phone_call').default('phone_call'),
    send_fbc_fbp: z.boolean().default(true),
    hash_phone: z.boolean().default(false),
    hash_email: z.boolean().default(false),
    test_event_code: z.string().trim().max(60).nullable().default(null),
    rules,
  }),
  slackbot: slackConfig,
  salesforce: z.strictObject({
    instance: z
      .string()
      .trim()
      .toLowerCase()
      .regex(
        /^([a-z0-9-]+\.)+salesforce\.com$/,
        'Enter the host of your org, such as harbor.my.salesforce.com.',
      )
      .max(200)
      .nullable()
      .default(null)
      .meta({ description: 'Host of the org' }),
    object: z.enum(['Lead', 'Contact', 'Task', 'Case']).default('Lead'),
    match_by: z.literal('phone').default('phone'),
    create_if_missing: z.boolean().default(true),
    owner_rule: z.string().trim().max(200).nullable().default(null),
    field_map: crmFieldMap(/^[A-Za-z][A-Za-z0-9_]{0,79}$/, 'Use the API name of a field.').default(
      {},
    ),
    log_calls: z.boolean().default(true),
    log_messages: z.boolean().default(false),
    attach_recording_link: z.boolean().default(false),
    ...comesBack,
    rules,
  }),
  hubspot: hubspotConfig,
  gohighlevel: z.strictObject({
    location_id: optionalId,
    create_contact: z.boolean().default(true),
    tags: z.array(name).max(50).default([]),
    pipeline_id: optionalId.meta({ description: 'Who has no open opportunity in it gets one' }),
    stage_id: optionalId.meta({ description: 'Stage of a new opportunity' }),
    log_call: z.boolean().default(true),
    field_map: crmFieldMap(/^[A-Za-z0-9_-]{1,80}$/, 'Use the ID of a custom field.').default({}),
    rules,
  }),
} as const satisfies Record<keyof typeof oauthProviders, z.ZodType>;

/** As it is sent: which fields there are depends on the account's provider. */
export const anyConfig = z
  .record(z.string().max(60), z.unknown())
  .meta({ description: 'The fields of the account’s provider; what is left out has its default' });
export const connectionParams = z.object({ companyId: id, id });
