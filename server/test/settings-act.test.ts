import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { companies, numbers, routing, settings } from '#contract';
import { settingKeys, settingRules, type SettingKey } from '#contract/settings/rules';
import { createTestApp, type TestPerson } from './support/test-app.ts';

const modules = 'server/src/modules';
const inCalls = `${modules}/calls/runtime/settings-in-calls.test.ts`;
const ofCompany = `${modules}/companies/company-settings.test.ts`;
const here = 'server/test/settings-act.test.ts';

/** What changes with each setting of A20, and the test that sees it. */
const acts: Partial<Record<SettingKey, [changes: string, seenIn: string]>> = {
  timezone: [
    'reports and hours of the company',
    `${modules}/settings/general/general-settings.test.ts`,
  ],
  locale: ['names of months on screens and in email', 'ui/src/format.test.ts'],
  date_format: [
    'dates on screens and in email',
    `${modules}/calls/transcripts/transcription.test.ts`,
  ],
  time_format: [
    'times on screens and in email',
    `${modules}/calls/transcripts/transcription.test.ts`,
  ],
  business_hours_schedule_id: ['the hours of a new number', inCalls],
  holiday_calendar: ['days on which the company is closed', inCalls],
  record_calls_default: ['a new number records', ofCompany],
  recording_announcement_default: ['what callers of a new number hear', ofCompany],
  two_party_consent_states_force_announcement: ['what callers from these states hear', inCalls],
  recording_retention_days: ['when a recording is deleted', ofCompany],
  message_retention_days: [
    'when texts are deleted',
    `${modules}/conversations/keeping/delete-old.test.ts`,
  ],
  call_retention_days: [
    'when calls are deleted',
    `${modules}/conversations/keeping/delete-old.test.ts`,
  ],
  transcription_default: ['a new number transcribes', ofCompany],
  ai_eav_default: ['a new number fills fields', here],
  redact_card_numbers: [
    'card numbers in transcripts',
    `${modules}/calls/transcripts/transcription.test.ts`,
  ],
  redact_ssn: [
    'social security numbers in transcripts',
    `${modules}/calls/transcripts/transcription.test.ts`,
  ],
  redact_dob: [
    'dates of birth in transcripts',
    `${modules}/calls/transcripts/transcription.test.ts`,
  ],
  voicemail_transcription: ['a new number transcribes voicemails', ofCompany],
  voicemail_email_attach: [
    'a voicemail’s mail has its recording',
    `${modules}/calls/transcripts/transcription.test.ts`,
  ],
  default_ring_seconds: ['how long a new route rings', here],
  default_caller_id_pass_thru: ['what the destination of a new route sees', here],
  default_confirm_key: ['whether it asks for a key', here],
  spam_screening: ['which callers get through', inCalls],
  block_anonymous: ['whether withheld numbers get through', inCalls],
  enhanced_caller_id_auto: ['whether new callers are looked up', inCalls],
  missed_call_text_back: [
    'the text after a missed call',
    `${modules}/conversations/team/automatic.test.ts`,
  ],
  auto_reply_after_hours: [
    'the reply after hours',
    `${modules}/conversations/team/automatic.test.ts`,
  ],
  texting_requires_verification: [
    'whether an unverified number may text',
    `${modules}/conversations/registered-rates.test.ts`,
  ],
  links_enabled: ['whether texts may have links', `${modules}/campaigns/draft.test.ts`],
  quiet_hours: ['when campaigns rest', `${modules}/campaigns/rules.test.ts`],
  recently_texted_guard_hours: ['who is skipped', `${modules}/campaigns/rules.test.ts`],
  default_unsubscribe_text: ['the words of a new campaign', ofCompany],
  campaign_approval_required: ['who sends a campaign', `${modules}/campaigns/draft.test.ts`],
  max_campaign_size: ['how many get one', `${modules}/campaigns/send.test.ts`],
  attribution_model_default: [
    'how calls without a pool are credited',
    `${modules}/integrations/accounts/metaads.test.ts`,
  ],
  lookback_days: [
    'which visits count without a pool',
    `${modules}/tracking/models/attribution.test.ts`,
  ],
  qualified_rule: ['which calls are qualified', inCalls],
  first_contact_window_days: ['which calls are first', inCalls],
  duplicate_caller_minutes: ['how often a caller is qualified', inCalls],
  mask_contact_details_for_users: [
    'what users see of contacts',
    `${modules}/contacts/contacts.test.ts`,
  ],
  users_can_configure_numbers: ['what users may do', `${modules}/routing/update-number.test.ts`],
  users_can_purchase_numbers: ['what users may do', `${modules}/numbers/buy-numbers.test.ts`],
  users_can_export: ['what users may do', ofCompany],
  users_can_bulk_contacts: ['what users may do', ofCompany],
  reporting_can_edit_calls: ['what the reporting role may do', here],
  approved_applications_only: [
    'which applications connect',
    `${modules}/identity/oauth-provider/announced.test.ts`,
  ],
  require_mfa: ['who sets up a second factor', `${modules}/identity/mfa/mfa.test.ts`],
  session_idle_minutes: ['when a session ends', `${modules}/companies/session-policies.test.ts`],
  allowed_ip_ranges: [
    'from where the company is used',
    `${modules}/companies/organizations/owners-company.test.ts`,
  ],
  export_link_hours: [
    'how long a file is there',
    `${modules}/settings/general/general-settings.test.ts`,
  ],
  notification_defaults: [
    'how people who didn’t choose are told',
    `${modules}/notifications/settings.test.ts`,
  ],
  summary_email: [
    'who gets figures by email',
    `${modules}/analytics/summary-mail/summary-mail.test.ts`,
  ],
  spend_limit_cents: ['when spending stops', `${modules}/billing/limits/limits.test.ts`],
};

describe('every setting that can be changed', () => {
  const keys = settingKeys.filter((key) => settingRules[key].group !== 'alerts');
  test('changes something', () => {
    expect(Object.keys(acts).toSorted()).toEqual(keys.toSorted());
  });
  test.each(keys)('%s is seen to', (key) => {
    const [, file] = acts[key] ?? ['', ''];
    const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
    // Here the key stands in the table as well.
    expect(text.split(new RegExp(`\\b${key}\\b`)).length - 1).toBeGreaterThan(
      file === here ? 1 : 0,
    );
  });
});

const app = await createTestApp();
const set = async (who: TestPerson, values: object): Promise<void> => {
  const { status } = await app.as(who).request(settings.updateGeneralSettings, {
    query: { company_id: who.companyId },
    body: values,
  });
  expect(status).toBe(200);
};

test('new numbers ring and fill fields as the company says', async () => {
  const { owner } = await app.createCompany();
  const bought = async (number: string) => {
    const made = await app.as(owner).request(numbers.buyNumbers, { body: { numbers: [number] } });
    const id = (made.body as { data: { id: number }[] }).data[0]!.id;
    const { ai_eav_enabled, routes } = (
      await app.as(owner).request(routing.getNumber, { params: { id } })
    ).body.data;
    const [{ timeout, caller_id_pass_thru, confirm_key }] = routes as [routing.Route];
    return { ai_eav_enabled, timeout, caller_id_pass_thru, confirm_key };
  };
  expect(await bought('+17185554181')).toEqual({
    ai_eav_enabled: false,
    timeout: 20,
    caller_id_pass_thru: true,
    confirm_key: false,
  });
  await set(owner, {
    default_ring_seconds: 35,
    default_caller_id_pass_thru: false,
    default_confirm_key: true,
    ai_eav_default: true,
    transcription_default: true,
  });
  expect(await bought('+17185554182')).toEqual({
    ai_eav_enabled: true,
    timeout: 35,
    caller_id_pass_thru: false,
    confirm_key: '1',
  });
});

test('the reporting role edits calls only while the company lets it', async () => {
  const { company, owner } = await app.createCompany();
  const reader = await app.createPerson(company.id, 'reporting');
  const may = async () =>
    (await app.as(reader).request(companies.getUser, { query: { companyId: company.id } })).body
      .data.permissions;
  expect(await may()).toHaveProperty(['calls.edit']);
  await set(owner, { reporting_can_edit_calls: false });
  expect(await may()).not.toHaveProperty(['calls.edit']);
});
