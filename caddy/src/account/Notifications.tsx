import { useState } from 'react';
import { Stack, Switch } from '@mantine/core';
import { caddy } from '#contract';
import type { caddyNotices } from '#contract/caddy/rules';
import { optimisticUpdate, Section, t, toast, useApiMutation } from '#ui';
import { useStore } from '#ui/store.ts';
import { pushes, turnPushesOff, turnPushesOn } from '../pushes.ts';
import { AccountPage } from './AccountPage.tsx';
import type { Profile } from './use-profile.ts';

type Notice = (typeof caddyNotices)[number];

/** What the person is told of while they don't look at Caddy, and where. */
export default function Notifications() {
  return (
    <AccountPage title={t('Notifications')}>
      {(profile) => (
        <>
          <Section title={t('On this device')}>
            <DeviceSwitch />
          </Section>
          <Section
            title={t('Tell me about')}
            about={
              profile.doNotDisturb
                ? t('Nothing is shown while you don’t want to be disturbed.')
                : undefined
            }
          >
            <Stack gap="sm">
              <NoticeSwitch profile={profile} notice="texts" label={t('Texts')} />
              <NoticeSwitch profile={profile} notice="calls" label={t('Calls')} />
              <NoticeSwitch profile={profile} notice="voicemails" label={t('Voicemails')} />
            </Stack>
          </Section>
          <Section title={t('Email')}>
            <NoticeSwitch
              profile={profile}
              notice="account"
              label={t('Warn me before I lose a number')}
            />
          </Section>
        </>
      )}
    </AccountPage>
  );
}

const problems = {
  missing: () => t('This browser has no notifications. Add Caddy to your home screen first.'),
  denied: () =>
    t('Notifications are blocked. Allow them in your browser’s settings for this site.'),
  failed: () => t('Notifications couldn’t be turned on. Try again later.'),
};

function DeviceSwitch() {
  const isOn = useStore(pushes, (s) => s.on);
  const [isBusy, setBusy] = useState(false);
  const turn = async (): Promise<void> => {
    setBusy(true);
    const now = isOn ? await turnPushesOff() : await turnPushesOn();
    setBusy(false);
    if (now && now !== 'on') toast.warn(problems[now]());
  };
  return (
    <Switch
      label={t('Show notifications')}
      description={t('Also while Caddy is closed.')}
      checked={isOn}
      disabled={isBusy}
      onChange={() => void turn()}
    />
  );
}

/** Turned at once, and back if it couldn’t be saved. */
function NoticeSwitch({
  profile,
  notice,
  label,
}: {
  profile: Profile;
  notice: Notice;
  label: string;
}) {
  const { mutate } = useApiMutation(caddy.updateCaddyProfile, {
    optimistic: (cache, { body }) =>
      optimisticUpdate(cache, caddy.getCaddyProfile, ({ data }) => ({
        data: {
          ...data,
          notifications: {
            ...data.notifications,
            [notice]: body && 'notifications' in body && body.notifications?.[notice],
          },
        },
      })),
  });
  return (
    <Switch
      label={label}
      checked={profile.notifications[notice]}
      onChange={({ currentTarget }) =>
        void mutate({ body: { notifications: { [notice]: currentTarget.checked } } })
      }
    />
  );
}
