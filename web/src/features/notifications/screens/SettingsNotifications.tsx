import { useState } from 'react';
import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMoon } from '@tabler/icons-react';
import { notifications } from '#contract';
import type { NotificationKind, DeliveryChannel } from '#contract/notifications/rules';
import type { NotificationSettings } from '#contract/notifications/schemas';
import {
  bindFieldErrors,
  ErrorState,
  toast,
  Section,
  StatusBadge,
  t,
  useApiQuery,
  useStore,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { desktopNotificationStore } from '../desktop-notifications.ts';
import { toggleDesktopNotifications, warnNotificationsUnavailable } from '../desktop-switch.ts';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { useOurNumbers } from '../../conversations/index.ts';
import { zoneOptions } from '../../settings/index.ts';
import css from './SettingsNotifications.module.css';

const kinds: [NotificationKind, string][] = [
  ['message', 'New text'],
  ['missed', 'Missed call'],
  ['voicemail', 'Voicemail'],
  ['fax', 'Fax'],
  ['mention', 'Mentions'],
  ['assigned', 'Conversation assigned to you'],
];
const channelNames: [DeliveryChannel, string][] = [
  ['push', 'Push'],
  ['email', 'Email'],
  ['both', 'Both'],
  ['none', 'None'],
];

/** The signed-in user's notification settings. */
export default function SettingsNotifications() {
  const { response, error, refetch } = useApiQuery(
    notifications.getNotificationSettings,
    {},
    { silent: true, refetchOnMount: true },
  );
  return (
    <SettingsFrame
      title={t('Notifications')}
      layout="read"
      description={t('What you’re notified about, and how. Teammates choose their own.')}
    >
      {response ? (
        <Preferences key={JSON.stringify(response.data)} settings={response.data} />
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Stack>
          {[0, 1, 2].map((i) => (
            <Skeleton key={i} height={96} />
          ))}
        </Stack>
      )}
    </SettingsFrame>
  );
}

function Preferences({ settings }: { settings: NotificationSettings }) {
  const numbers = useOurNumbers();
  const form = useForm({
    initialValues: {
      kinds: { ...settings.kinds },
      number_ids: settings.number_ids.map(String),
      all: settings.number_ids.length === 0,
      on: settings.quiet.on,
      from: settings.quiet.from,
      to: settings.quiet.to,
      timezone: settings.quiet.timezone,
    },
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
      <Section
        title={t('Notify me about')}
        about={t(
          'Emails go to {email}: at most one per conversation every five minutes, and only about what no one has read by then.',
          { email: settings.email },
        )}
      >
        <div className={css.kinds}>
          {kinds.map(([kind, label]) => (
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
      <Section
        title={t('Quiet hours')}
        about={t(
          'No push or desktop notifications during these hours. Emails wait until they’re over. Calls still ring in an open app.',
        )}
        action={
          settings.quiet.now ? (
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
      <Group gap="xs" my="md">
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
      </Group>
    </form>
  );
}

/** Web pushes need the browser's permission, which is granted here for this device only. */
function DesktopNotifications({ devices }: { devices: number }) {
  const on = useStore(desktopNotificationStore, (s) => s.on);
  const [working, setWorking] = useState(false);
  const toggle = async (): Promise<void> => {
    setWorking(true);
    const now = await toggleDesktopNotifications();
    setWorking(false);
    if (now === 'missing' || now === 'denied') warnNotificationsUnavailable(now);
    else
      toast.success(
        now === 'on'
          ? t('You’ll be notified on this computer.')
          : t('Notifications on this computer are off.'),
      );
  };
  return (
    <Section
      title={t('This computer')}
      about={
        devices > 0
          ? t(
              '{n, plural, one {# of your devices can receive push} other {# of your devices can receive push}}, even while the app is closed.',
              { n: devices },
            )
          : t(
              'None of your devices can receive push yet. Turn notifications on here, and on your other devices.',
            )
      }
    >
      <Switch
        label={t('Notify me on this computer')}
        checked={on}
        disabled={working}
        onChange={() => void toggle()}
      />
    </Section>
  );
}
