import { Anchor, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { Section, t, zoneName } from '#ui';
import {
  SelectSetting,
  NumberSetting,
  SwitchSetting,
  type SettingsForm,
} from './GeneralFields.tsx';
import css from './General.module.css';

/** What is removed from transcripts and recordings. */
export function PrivacySection({ form }: { form: SettingsForm }) {
  return (
    <Section
      title={t('Transcript privacy')}
      about={t(
        'Removed from new transcripts and silenced in their recordings. Earlier transcripts don’t change.',
      )}
    >
      <Stack gap="sm">
        <SwitchSetting form={form} of="redact_card_numbers" label={t('Remove card numbers')} />
        <SwitchSetting form={form} of="redact_ssn" label={t('Remove social security numbers')} />
        <SwitchSetting form={form} of="redact_dob" label={t('Remove dates of birth')} />
      </Stack>
    </Section>
  );
}

/** Campaign approval, quiet hours and limits. `zone`: the company’s time zone, IANA. */
export function CampaignsSection({ form, zone }: { form: SettingsForm; zone: string }) {
  return (
    <Section
      title={t('Campaigns')}
      about={
        <>
          <Anchor href="/settings/company" inherit>
            {t('Turn on links in texts')}
          </Anchor>
          {' · '}
          <Anchor href="/settings/sms-verification" inherit>
            {t('Let unregistered numbers text')}
          </Anchor>
        </>
      }
    >
      <Stack gap="sm">
        <SwitchSetting
          form={form}
          of="campaign_approval_required"
          label={t('Require approval for users’ campaigns')}
          description={t('A user’s campaign waits until an administrator approves it.')}
        />
        <QuietHours form={form} zone={zone} />
        <NumberSetting
          form={form}
          of="recently_texted_guard_hours"
          label={t('Time between campaigns to the same person')}
          description={t(
            'Anyone who received a campaign in this time is skipped. 0 turns this off.',
          )}
          suffix={t(' hours')}
        />
        <NumberSetting
          form={form}
          of="max_campaign_size"
          label={t('Largest campaign')}
          suffix={t(' people')}
        />
        <TextInput
          label={t('Default opt-out text')}
          description={t('New campaigns start with it.')}
          maxLength={160}
          {...form.getInputProps('settings.default_unsubscribe_text')}
        />
      </Stack>
    </Section>
  );
}

/** What users may do beyond their role. */
export function UserPermissionsSection({ form }: { form: SettingsForm }) {
  return (
    <Section title={t('User permissions')} about={t('Owners and administrators can do all of it.')}>
      <Stack gap="sm">
        <SwitchSetting
          form={form}
          of="users_can_configure_numbers"
          label={t('Users can change settings of their numbers')}
        />
        <SwitchSetting
          form={form}
          of="users_can_purchase_numbers"
          label={t('Users can buy and release numbers')}
        />
        <SwitchSetting form={form} of="users_can_export" label={t('Users can export lists')} />
        <SwitchSetting
          form={form}
          of="users_can_bulk_contacts"
          label={t('Users can import contacts and edit many at once')}
        />
        <SwitchSetting
          form={form}
          of="mask_contact_details_for_users"
          label={t('Hide contact details from users')}
          description={t('They see that there’s a contact, but not the number, email or address.')}
        />
        <SwitchSetting
          form={form}
          of="reporting_can_edit_calls"
          label={t('Reporting role can tag calls and add notes')}
        />
        <SwitchSetting
          form={form}
          of="approved_applications_only"
          label={t('Only approved applications')}
          description={t(
            'People connect only applications that this company registered or that come with Trunkline.',
          )}
        />
      </Stack>
    </Section>
  );
}

/** How long texts, calls and exported files are kept. */
export function RetentionSection({ form }: { form: SettingsForm }) {
  return (
    <Section title={t('How long to keep records')}>
      <Stack gap="sm">
        <NumberSetting
          form={form}
          of="message_retention_days"
          label={t('Keep texts for')}
          description={t('Older texts are deleted for good. 0 keeps them.')}
          suffix={t(' days')}
        />
        <NumberSetting
          form={form}
          of="call_retention_days"
          label={t('Keep call records for')}
          description={t(
            'Older calls are deleted for good, with their recordings and transcripts, and no longer count in reports. 0 keeps them.',
          )}
          suffix={t(' days')}
        />
        <NumberSetting
          form={form}
          of="export_link_hours"
          label={t('Exported files are available for')}
          suffix={t(' hours')}
        />
      </Stack>
    </Section>
  );
}

function QuietHours({ form, zone }: { form: SettingsForm; zone: string }) {
  const hours = form.values.settings.quiet_hours;
  return (
    <fieldset className={css.together}>
      <legend>{t('Quiet hours')}</legend>
      <p className={css.about}>
        {hours.start === hours.end
          ? t('Start and end are the same, so campaigns are sent at any hour.')
          : t('Campaigns aren’t sent during these hours. They continue afterward.')}
      </p>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
        <TextInput
          type="time"
          label={t('From')}
          {...form.getInputProps('settings.quiet_hours.start')}
        />
        <TextInput
          type="time"
          label={t('To')}
          {...form.getInputProps('settings.quiet_hours.end')}
        />
      </SimpleGrid>
      <SelectSetting
        form={form}
        of="quiet_hours.mode"
        label={t('Time zone used')}
        options={[
          ['recipient', t('The recipient’s, when known')],
          ['company', t('The company’s ({zone})', { zone: zoneName(zone) })],
        ]}
      />
    </fieldset>
  );
}
