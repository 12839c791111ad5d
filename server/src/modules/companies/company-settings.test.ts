import { expect, test } from 'vitest';
import { campaigns, companies as contract, numbers, routing, settings } from '#contract';
import { companySettingDefaults, settingKeys, companySettingsOf } from '#contract/settings/rules';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';

const app = await createTestApp();
const put = (who: TestPerson, values: object) =>
  app.as(who).request(settings.updateGeneralSettings, {
    query: { company_id: who.companyId },
    body: values,
  });
/** The settings, without the time zone that every test company has. */
const read = async (who: TestPerson) => ({
  ...(await app.as(who).request(contract.getCompany, { params: { id: who.companyId } })).body.data
    .settings,
  timezone: companySettingDefaults.timezone,
});

test('settings have defaults, and null restores them', async () => {
  const { owner } = await app.createCompany();
  expect(await read(owner)).toEqual(companySettingDefaults);
  const { status, body } = await put(owner, {
    redact_ssn: true,
    redact_card_numbers: false,
    quiet_hours: { start: '20:00', end: '09:30', mode: 'company' },
    export_link_hours: 48,
    default_unsubscribe_text: 'Text STOP to end.',
  });
  expect(status).toBe(200);
  expect(body.data['redact_ssn']).toMatchObject({ value: true, source: 'company' });
  expect(await read(owner)).toEqual({
    ...companySettingDefaults,
    redact_ssn: true,
    redact_card_numbers: false,
    quiet_hours: { start: '20:00', end: '09:30', mode: 'company' },
    export_link_hours: 48,
    default_unsubscribe_text: 'Text STOP to end.',
  });
  await put(owner, { redact_card_numbers: null });
  expect(await read(owner)).toMatchObject({ redact_card_numbers: true, redact_ssn: true });
  await put(owner, Object.fromEntries(settingKeys.map((name) => [name, null])));
  expect(await read(owner)).toEqual(companySettingDefaults);
});

test('concurrent changes of different settings are both kept', async () => {
  const { company, owner } = await app.createCompany();
  const other = await app.createPerson(company.id, 'administrator');
  await Promise.all([
    put(owner, { redact_ssn: true }),
    put(other, { redact_dob: true }),
    put(owner, { campaign_approval_required: true }),
  ]);
  expect(await read(owner)).toMatchObject({
    redact_ssn: true,
    redact_dob: true,
    campaign_approval_required: true,
  });
});

test('invalid settings are rejected at their field and change nothing', async () => {
  const { owner } = await app.createCompany();
  const { status, body } = await put(owner, {
    recording_retention_days: 7,
    max_campaign_size: 0.5,
    quiet_hours: { start: '9pm', end: '08:00', mode: 'recipient' },
    default_unsubscribe_text: ' ',
    export_link_hours: 12,
  });
  expect(status).toBe(422);
  expect(Object.keys((body as unknown as { errors: object }).errors).sort()).toEqual([
    'default_unsubscribe_text',
    'max_campaign_size',
    'quiet_hours.start',
    'recording_retention_days',
  ]);
  expect(await read(owner)).toEqual(companySettingDefaults);
});

test('settings are changed only with permission, and audited', async () => {
  const { company, owner } = await app.createCompany();
  for (const role of ['user', 'reporting', 'billing'] as const) {
    const person = await app.createPerson(company.id, role);
    expect((await put(person, { redact_ssn: true })).status).toBe(403);
    expect(await read(person)).toEqual(companySettingDefaults);
  }
  const administrator = await app.createPerson(company.id, 'administrator');
  await put(owner, { export_link_hours: 12 });
  await put(administrator, { export_link_hours: 36, redact_dob: true });
  await put(owner, { redact_dob: null });
  const rows = await app.services.db.transaction({ companyId: company.id }, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['actor_id', 'before', 'after'])
      .where('company_id', '=', company.id)
      .where('action', '=', 'settings.updated')
      .orderBy('id')
      .execute(),
  );
  expect(rows).toEqual([
    { actor_id: owner.id, before: { export_link_hours: null }, after: { export_link_hours: 12 } },
    {
      actor_id: administrator.id,
      before: { export_link_hours: 12, redact_dob: null },
      after: { export_link_hours: 36, redact_dob: true },
    },
    { actor_id: owner.id, before: { redact_dob: true }, after: { redact_dob: null } },
  ]);
});

test('a change of users’ permissions applies to their next request', async () => {
  const { company, owner } = await app.createCompany();
  const user = await app.createPerson(company.id, 'user');
  const may = async () =>
    (await app.as(user).request(contract.getUser, { query: { companyId: company.id } })).body.data
      .permissions;
  expect(await may()).toMatchObject({ 'exports.make': 'assigned' });
  await put(owner, { users_can_export: false, users_can_bulk_contacts: true });
  expect(await may()).toMatchObject({ 'contacts.bulk': 'all' });
  expect(await may()).not.toHaveProperty(['exports.make']);
});

test('a new campaign has the company’s opt-out text', async () => {
  const { company, owner } = await app.createCompany();
  await put(owner, { default_unsubscribe_text: 'Text STOP to end.' });
  const made = await app.as(owner).request(campaigns.createCampaign, {
    body: { company_id: company.id, title: 'Spring', state: 'draft' },
  });
  expect(made.body.data).toMatchObject({ title: 'Spring', unsubscribe_text: 'Text STOP to end.' });
});

test('a new number has the company’s default settings', async () => {
  const { owner } = await app.createCompany();
  const bought = async (number: string) => {
    const made = await app.as(owner).request(numbers.buyNumbers, { body: { numbers: [number] } });
    const id = (made.body as { data: { id: number }[] }).data[0]!.id;
    const { record, recording_announcement, call_transcription_enabled, voicemail } = (
      await app.as(owner).request(routing.getNumber, { params: { id } })
    ).body.data;
    return {
      record,
      recording_announcement,
      call_transcription_enabled,
      transcribe: voicemail.transcribe,
    };
  };
  expect(await bought('+17185554100')).toEqual({
    record: false,
    recording_announcement: 'default',
    call_transcription_enabled: false,
    transcribe: true,
  });
  await put(owner, {
    record_calls_default: true,
    recording_announcement_default: 'none',
    transcription_default: true,
    voicemail_transcription: false,
  });
  expect(await bought('+17185554101')).toEqual({
    record: true,
    recording_announcement: 'none',
    call_transcription_enabled: true,
    transcribe: false,
  });
});

test('invalid stored settings count as not set', () =>
  expect(
    companySettingsOf({
      recording_retention_days: 3,
      export_link_hours: 'many',
      redact_card_numbers: 'no',
      quiet_hours: { start: '25:00', mode: 'moon' },
      default_unsubscribe_text: '',
      recording_announcement_default: 7,
    }),
  ).toEqual(companySettingDefaults));
