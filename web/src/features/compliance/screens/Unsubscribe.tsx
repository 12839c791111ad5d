import { useState } from 'react';
import { Button } from '@mantine/core';
import { notifications } from '#contract';
import { apiErrors } from '#contract/errors';
import { t, useApiMutation } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { useParam } from '../../../shared/params.ts';

/**
 * Target of the unsubscribe link in notification emails. Needs a click, because mail scanners open
 * links, too.
 */
export default function Unsubscribe() {
  const token = useParam('token') ?? '';
  const [of, setOf] = useState<{ company: string; email: string } | null>(null);
  const [wrong, setWrong] = useState(false);
  const { mutate, isPending } = useApiMutation(notifications.unsubscribeMail, {
    silent: true,
    onSuccess: (response) => setOf(response.data),
  });
  if (of)
    return (
      <AuthFrame
        title={t('You’re unsubscribed')}
        about={t(
          '{email} won’t receive notifications from {company} by email. Push notifications aren’t affected.',
          of,
        )}
      >
        <Button component="a" href="/settings/notifications" variant="default" fullWidth>
          {t('All notifications')}
        </Button>
      </AuthFrame>
    );
  if (wrong)
    return (
      <AuthFrame
        title={t('This link doesn’t work')}
        about={t(apiErrors['unsubscribe.invalid'].text)}
      >
        <Button component="a" href="/settings/notifications" fullWidth>
          {t('Sign in')}
        </Button>
      </AuthFrame>
    );
  return (
    <AuthFrame
      title={t('Stop notification emails?')}
      about={t(
        'You won’t get emails about conversations anymore. Notifications on your devices aren’t affected.',
      )}
    >
      <Button
        fullWidth
        loading={isPending}
        onClick={async () => {
          if ((await mutate({ body: { token } })) === null) setWrong(true);
        }}
      >
        {t('Stop emails')}
      </Button>
    </AuthFrame>
  );
}
