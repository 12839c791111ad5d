import {
  Checkbox,
  Group,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { IconMoon } from '@tabler/icons-react';
import { notifications } from '#contract';
import type { NotificationKind, DeliveryChannel } from '#contract/notifications/rules';
import type { NotificationSettings } from '#contract/notifications/schemas';
import {
  bindFieldErrors,
  Section,
  StatusBadge,
  t,
  useApiMutation,
  usePermission,
  useUnsavedGuard,
} from '#ui';
import { SaveBar } from '../../shared/SaveBar.tsx';
import { useOurNumbers } from '../conversations/index.ts';
import { zoneOptions } from '../settings/index.ts';
import css from './screens/SettingsNotifications.module.css';
import { DesktopNotifications } from './DesktopNotifications.tsx';

const kinds: [NotificationKind, string][] = [
  ['message', 'New text'],
  ['missed', 'Missed call'],
  ['voicemail', 'Voicemail'],
  ['fax', 'Fax'],
  ['mention', 'Mentions'],
  ['assigned', 'Conversation assigned to you'],
  ['alert', 'Alerts'],
];
const channelNames: [DeliveryChannel, string][] = [
  ['push', 'Push'],
  ['email', 'Email'],
  ['both', 'Both'],
  ['none', 'None'],
];

const initialValues = (settings: NotificationSettings) => ({
  kinds: { ...settings.kinds },
  number_ids: settings.number_ids.map(String),
  all: settings.number_ids.length === 0,
  on: settings.quiet.on,
  from: settings.quiet.from,
  to: settings.quiet.to,
  timezone: settings.quiet.timezone,
});
type PreferencesForm = UseFormReturnType<ReturnType<typeof initialValues>>;

/** The form of the notification settings. */
export function NotificationPreferences({ settings }: { settings: NotificationSettings }) {
  const form = useForm({
    initialValues: initialValues(settings),
  });
  const { mutate, isPending } = useApiMutation(notifications.saveNotificationSettings, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Notifications saved'),
    invalidates: [notifications.getNotificationSettings],
  });
  useUnsavedGuard(form.isDirty());
  const send = ({
    kinds: of,
    number_ids,
    all,
    on,
    from,
    to,
    timezone,
  }: typeof form.values): void => {
    if (!all && number_ids.length === 0) {
      form.setFieldError('number_ids', t('Choose at least one number, or all of them.'));
      return;
    }
    void mutate({
      body: {
        kinds: of,
        number_ids: all ? [] : number_ids.map(Number),
        quiet: { on, from, to, timezone },
      },
    });
  };
  return (
    <form onSubmit={form.onSubmit(send)} noValidate>
      <DesktopNotifications devices={settings.devices} />
      <KindChannels form={form} email={settings.email} />
      <NumberChoice form={form} />
      <QuietHours form={form} isQuietNow={settings.quiet.now} />
      <SaveBar dirty={form.isDirty()} saving={isPending} onDiscard={() => form.reset()} />
    </form>
  );
}

function KindChannels({ form, email }: { form: PreferencesForm; email: string }) {
  const isToldOfAlerts = usePermission('monitoring.edit');
  return (
    <Section
      title={t('Notify me about')}
      about={t(
        'Emails go to {email}: at most one per conversation every five minutes, and only about what no one has read by then.',
        { email },
      )}
    >
      <div className={css.kinds}>
        {kinds
          .filter(([kind]) => kind !== 'alert' || isToldOfAlerts)
          .map(([kind, label]) => (
            <div key={kind} className={css.kind}>
              <span id={`kind-${kind}`}>{t(label)}</span>
              <SegmentedControl
                size="xs"
                aria-labelledby={`kind-${kind}`}
                data={channelNames.map(([value, word]) => ({ value, label: t(word) }))}
                value={form.values.kinds[kind]}
                onChange={(way) => form.setFieldValue(`kinds.${kind}`, way as DeliveryChannel)}
              />
            </div>
          ))}
      </div>
    </Section>
  );
}

function NumberChoice({ form }: { form: PreferencesForm }) {
  const numbers = useOurNumbers();
  return (
    <Section title={t('For these numbers')}>
      <Stack gap="sm">
        <Checkbox
          label={t('All numbers I see')}
          {...form.getInputProps('all', { type: 'checkbox' })}
        />
        {!form.values.all && (
          <MultiSelect
            label={t('Numbers')}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('Clear') }}
            placeholder={form.values.number_ids.length ? '' : t('Choose numbers')}
            data={numbers.map((n) => ({ value: String(n.id), label: n.label }))}
            {...form.getInputProps('number_ids')}
          />
        )}
      </Stack>
    </Section>
  );
}

function QuietHours({ form, isQuietNow }: { form: PreferencesForm; isQuietNow: boolean }) {
  return (
    <Section
      title={t('Quiet hours')}
      about={t(
        'No push or desktop notifications during these hours. Emails wait until they’re over. Calls still ring in an open app.',
      )}
      action={
        isQuietNow ? (
          <StatusBadge tone="info" icon={<IconMoon size={13} aria-hidden />}>
            {t('Quiet now')}
          </StatusBadge>
        ) : undefined
      }
    >
      <Stack gap="sm">
        <Switch
          label={t('Pause notifications every day')}
          {...form.getInputProps('on', { type: 'checkbox' })}
        />
        {form.values.on && (
          <>
            <Group gap="sm" grow maw={320}>
              <TextInput type="time" label={t('From')} {...form.getInputProps('from')} />
              <TextInput type="time" label={t('To')} {...form.getInputProps('to')} />
            </Group>
            <Select
              label={t('Your time zone')}
              searchable
              allowDeselect={false}
              maw={420}
              data={zoneOptions()}
              {...form.getInputProps('timezone')}
              {...(form.errors['quiet.timezone'] && { error: form.errors['quiet.timezone'] })}
            />
          </>
        )}
      </Stack>
    </Section>
  );
}
