import { Skeleton, Stack } from '@mantine/core';
import { notifications } from '#contract';
import { ErrorState, t, useApiQuery } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { NotificationPreferences } from '../NotificationPreferences.tsx';

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
        <NotificationPreferences key={JSON.stringify(response.data)} settings={response.data} />
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
