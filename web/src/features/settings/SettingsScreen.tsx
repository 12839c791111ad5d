import { Button, Skeleton, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode } from 'react';
import { companies, settings as contract } from '#contract';
import {
  companySettingDefaults,
  companySettingsOf,
  settingKeys,
  type CompanySettings,
  type SettingKey,
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
  useFollowSaved,
} from '#ui';
import { SettingsFrame } from '../../shared/SettingsFrame.tsx';
import type { SettingsForm } from './GeneralFields.tsx';
import css from './General.module.css';

/** A screen of the company's settings, with what saves, discards and restores them. */
export function SettingsScreen({
  title,
  about,
  keys,
  children,
}: {
  title: string;
  about: string;
  /** What the screen shows, and restores. */
  keys: readonly SettingKey[];
  children: (form: SettingsForm, zone: string) => ReactNode;
}) {
  const id = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(
    companies.getCompany,
    { params: { id } },
    { enabled: id !== 0, refetchOnMount: true },
  );
  return (
    <SettingsFrame title={title} layout="read" description={about}>
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
          keys={keys}
        >
          {(form) => children(form, response.data.timezone)}
        </Settings>
      )}
    </SettingsFrame>
  );
}

/** The values of an answer, with defaults for what it doesn't hold. */
const settingsOf = (answer: Record<string, { value: unknown }>): CompanySettings =>
  companySettingsOf(Object.fromEntries(Object.entries(answer).map(([k, v]) => [k, v.value])));

/** Where the form shows the errors of each setting. */
const formNames = Object.fromEntries(
  [
    ...settingKeys,
    'quiet_hours.start',
    'quiet_hours.end',
    'quiet_hours.mode',
    'missed_call_text_back.text',
    'auto_reply_after_hours.text',
    'summary_email.recipients',
    'qualified_rule.min_duration',
  ].map((name) => [name, `settings.${name}`]),
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

/** Whether records that are kept now would be deleted. */
const deletesMore = (before: CompanySettings, after: CompanySettings): boolean =>
  (['message_retention_days', 'call_retention_days'] as const).some(
    (name) => after[name] > 0 && (before[name] === 0 || after[name] < before[name]),
  );

const confirmDeleting = ({
  message_retention_days: texts,
  call_retention_days: calls,
}: CompanySettings): Promise<boolean> =>
  confirm({
    title: t('Delete older records?'),
    body: [
      texts > 0 &&
        t('Texts older than {n, plural, one {# day} other {# days}} are deleted.', { n: texts }),
      calls > 0 &&
        t(
          'Calls older than {n, plural, one {# day} other {# days}} are deleted, with their recordings and transcripts.',
          { n: calls },
        ),
      t('This starts within the hour and can’t be undone.'),
    ]
      .filter(Boolean)
      .join(' '),
    confirmLabel: t('Save and delete'),
    danger: true,
  });

/** The form of the company's settings: saves only what changed, or restores the defaults. */
function useSettingsForm(
  companyId: number,
  settings: CompanySettings,
  keys: readonly SettingKey[],
) {
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
  useFollowSaved(form, { settings });
  const takeOver = (now: CompanySettings): void => {
    form.setInitialValues({ settings: now });
    form.reset();
  };
  const save = async ({ settings: now }: { settings: CompanySettings }): Promise<void> => {
    if (deletesMore(settings, now) && !(await confirmDeleting(now))) return;
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
      body: { keys: [...keys] },
    });
    if (response) takeOver(settingsOf(response.data));
  };
  return { form, save, restore, isPending };
}

/** A company's settings as a screen shows some of them. */
function Settings({
  companyId,
  settings,
  keys,
  children,
}: {
  companyId: number;
  settings: CompanySettings;
  keys: readonly SettingKey[];
  children: (form: SettingsForm) => ReactNode;
}) {
  const { form, save, restore, isPending } = useSettingsForm(companyId, settings, keys);
  const isUsual = keys.every((key) => same(settings[key], companySettingDefaults[key]));
  return (
    <form
      onSubmit={form.onSubmit(
        (v) => void save(v),
        (errors) => focusFirstError(form, errors),
      )}
      noValidate
    >
      {children(form)}
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
          disabled={isPending || isUsual}
          onClick={() => void restore()}
        >
          {t('Restore defaults')}
        </Button>
      </div>
    </form>
  );
}
