import { Button, Skeleton, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { companies, settings as contract } from '#contract';
import {
  companySettingDefaults,
  companySettingsOf,
  settingKeys,
  settingRules,
  type CompanySettings,
} from '#contract/settings/rules';
import {
  bindFieldErrors,
  confirm,
  ErrorState,
  focusFirstError,
  t,
  useApiQuery,
  useCompanyId,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import type { SettingsForm } from '../GeneralFields.tsx';
import css from '../General.module.css';
import {
  AttributionSection,
  CallsSection,
  CampaignsSection,
  ExportsSection,
  PrivacySection,
  UserPermissionsSection,
} from '../GeneralSections.tsx';

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

/** The values of an answer, with defaults for what it doesn't hold. */
const settingsOf = (answer: Record<string, { value: unknown }>): CompanySettings =>
  companySettingsOf(Object.fromEntries(Object.entries(answer).map(([k, v]) => [k, v.value])));

/** Settings of other screens, which restoring this page leaves alone. */
const elsewhere: string[] = ['timezone', 'links_enabled', 'texting_requires_verification'];
const keysOnPage = settingKeys.filter(
  (key) => !elsewhere.includes(key) && settingRules[key].group !== 'security',
);

/** Where the form shows the errors of each setting. */
const formNames = Object.fromEntries(
  [...settingKeys, 'quiet_hours.start', 'quiet_hours.end', 'quiet_hours.mode'].map((name) => [
    name,
    `settings.${name}`,
  ]),
);

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const confirmRestore = (): Promise<boolean> =>
  confirm({
    title: t('Restore the defaults?'),
    body: t(
      'Every setting on this page returns to its default. Numbers, people and campaigns keep their own settings.',
    ),
    confirmLabel: t('Restore defaults'),
    danger: true,
  });

/** The form of the company's settings: saves only what changed, or restores the defaults. */
function useSettingsForm(companyId: number, settings: CompanySettings) {
  const form: SettingsForm = useForm<{ settings: CompanySettings }>({
    initialValues: { settings },
  });
  const { mutate, isPending } = useApiMutation(contract.updateGeneralSettings, {
    onFieldErrors: bindFieldErrors(form, formNames),
    success: t('Settings updated'),
    invalidates: [companies.getCompany, companies.getUser],
  });
  const { mutate: restoreAll } = useApiMutation(contract.restoreGeneralSettings, {
    success: t('Settings restored'),
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
      settingKeys
        .filter((name) => !same(now[name], settings[name]))
        .map((name) => [name, now[name]]),
    );
    const response = await mutate({ query: { company_id: companyId }, body: changed });
    if (response) takeOver(settingsOf(response.data));
  };
  const restore = async (): Promise<void> => {
    if (!(await confirmRestore())) return;
    const response = await restoreAll({
      query: { company_id: companyId },
      body: { keys: keysOnPage },
    });
    if (response) takeOver(settingsOf(response.data));
  };
  return { form, save, restore, isPending };
}

function Settings({
  companyId,
  settings,
  zone,
}: {
  companyId: number;
  settings: CompanySettings;
  zone: string;
}) {
  const { form, save, restore, isPending } = useSettingsForm(companyId, settings);
  return (
    <form
      onSubmit={form.onSubmit(
        (v) => void save(v),
        (errors) => focusFirstError(form, errors),
      )}
      noValidate
    >
      <PrivacySection form={form} />
      <CallsSection form={form} />
      <CampaignsSection form={form} zone={zone} />
      <AttributionSection form={form} />
      <UserPermissionsSection form={form} />
      <ExportsSection form={form} />
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
