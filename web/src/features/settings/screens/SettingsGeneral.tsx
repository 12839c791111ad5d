import { Anchor, Button, SimpleGrid, Skeleton, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { companies } from '#contract';
import {
  companySettingDefaults,
  companySettingNames,
  type CompanySettings,
} from '#contract/companies/rules';
import {
  bindFieldErrors,
  confirm,
  ErrorState,
  focusFirstError,
  Section,
  t,
  useApiQuery,
  useCompanyId,
  useApiMutation,
  useUnsavedGuard,
  zoneName,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import {
  SelectSetting,
  NumberSetting,
  SwitchSetting,
  type SettingsForm,
} from '../GeneralFields.tsx';
import css from '../General.module.css';

/** Settings of the whole company. Settings of a number, user or campaign override them. */
export default function SettingsGeneral() {
  const id = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(
    companies.getCompany,
    { params: { id } },
    { enabled: id !== 0, refetchOnMount: true },
  );
  return (
    <SettingsFrame
      title={t('General')}
      layout="read"
      description={t('These apply to the whole company. Settings on a number override them.')}
    >
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && (
        <Stack>
          {[0, 1, 2].map((i) => (
            <Skeleton key={i} height={140} />
          ))}
        </Stack>
      )}
      {response && (
        <Settings
          key={response.data.id}
          companyId={response.data.id}
          settings={response.data.settings}
          zone={response.data.timezone}
        />
      )}
    </SettingsFrame>
  );
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function Settings({
  companyId,
  settings,
  zone,
}: {
  companyId: number;
  settings: CompanySettings;
  zone: string;
}) {
  const form: SettingsForm = useForm<{ settings: CompanySettings }>({
    initialValues: { settings },
  });
  const { mutate, isPending } = useApiMutation(companies.updateCompany, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Settings updated'),
    invalidates: [companies.getCompany, companies.getUser],
  });
  useUnsavedGuard(form.isDirty());
  const saved = JSON.stringify(settings);
  const takeOver = (now: CompanySettings): void => {
    form.setInitialValues({ settings: now });
    form.setValues({ settings: now });
    form.resetDirty({ settings: now });
  };
  // When another user saves meanwhile, show their values unless this form has unsaved changes.
  useEffect(() => {
    if (!form.isDirty()) takeOver(JSON.parse(saved) as CompanySettings);
  }, [saved]);
  const save = async ({ settings: now }: { settings: CompanySettings }): Promise<void> => {
    const changed = Object.fromEntries(
      companySettingNames
        .filter((name) => !same(now[name], settings[name]))
        .map((name) => [name, now[name]]),
    );
    const response = await mutate({
      params: { id: companyId },
      body: { settings: changed },
    });
    if (response) takeOver(response.data.settings);
  };
  const restore = async (): Promise<void> => {
    if (
      !(await confirm({
        title: t('Restore the defaults?'),
        body: t(
          'Every setting on this page returns to its default. Numbers, people and campaigns keep their own settings.',
        ),
        confirmLabel: t('Restore defaults'),
        danger: true,
      }))
    )
      return;
    const response = await mutate({
      params: { id: companyId },
      body: {
        settings: Object.fromEntries(companySettingNames.map((name) => [name, null])),
      },
    });
    if (response) takeOver(response.data.settings);
  };
  const hours = form.values.settings.quiet_hours;
  return (
    <form
      onSubmit={form.onSubmit(
        (v) => void save(v),
        (errors) => focusFirstError(form, errors),
      )}
      noValidate
    >
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
      <Section
        title={t('Calls and voicemail')}
        about={t('New numbers start with these. Existing numbers keep their settings.')}
      >
        <Stack gap="sm">
          <SwitchSetting
            form={form}
            of="record_calls_default"
            label={t('Record calls on new numbers')}
          />
          <SelectSetting
            form={form}
            of="recording_announcement_default"
            label={t('Recording announcement on new numbers')}
            description={t(
              'Many states require that everyone on the line knows. Without it, tell callers another way.',
            )}
            options={[
              ['default', t('Callers hear that the call is recorded')],
              ['none', t('No announcement')],
            ]}
          />
          <SwitchSetting
            form={form}
            of="transcription_default"
            label={t('Transcribe recorded calls on new numbers')}
          />
          <SwitchSetting
            form={form}
            of="voicemail_transcription"
            label={t('Transcribe voicemails on new numbers')}
          />
          <SwitchSetting
            form={form}
            of="voicemail_email_attach"
            label={t('Attach recordings to voicemail emails')}
            description={t('For all numbers, new or existing.')}
          />
          <NumberSetting
            form={form}
            of="recording_retention_days"
            label={t('Keep recordings for')}
            description={t('For new recordings on numbers without their own setting.')}
            suffix={t(' days')}
          />
        </Stack>
      </Section>
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
      <Section
        title={t('User permissions')}
        about={t('Owners and administrators can do all of it.')}
      >
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
            description={t(
              'They see that there’s a contact, but not the number, email or address.',
            )}
          />
          <SwitchSetting
            form={form}
            of="reporting_can_edit_calls"
            label={t('Reporting role can tag calls and add notes')}
          />
        </Stack>
      </Section>
      <Section title={t('Exports')}>
        <NumberSetting
          form={form}
          of="export_link_hours"
          label={t('Files are available for')}
          suffix={t(' hours')}
        />
      </Section>
      <div className={css.bar}>
        <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
          {t('Save')}
        </Button>
        <Button
          variant="default"
          disabled={!form.isDirty() || isPending}
          onClick={() => form.reset()}
        >
          {t('Discard changes')}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          disabled={isPending || same(settings, companySettingDefaults)}
          onClick={() => void restore()}
        >
          {t('Restore defaults')}
        </Button>
      </div>
    </form>
  );
}
