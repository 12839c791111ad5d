import { useState } from 'react';
import { Switch } from '@mantine/core';
import { toast, Section, t, useStore } from '#ui';
import { desktopNotificationStore } from './desktop-store.ts';
import { toggleDesktopNotifications, warnNotificationsUnavailable } from './desktop-switch.ts';

/** Web pushes need the browser's permission, which is granted here for this device only. */
export function DesktopNotifications({ devices }: { devices: number }) {
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
