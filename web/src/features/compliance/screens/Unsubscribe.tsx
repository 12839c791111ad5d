import { useState } from 'react';
import { Button } from '@mantine/core';
import { notifications } from '#contract';
import { refusalText } from '#contract/refusals';
import { t, useApiMutation } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { useParam } from '../../../shared/params.ts';

/** Where the link at the end of a mail leads. Asked first: programs that look through mails open links, too. */
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
        title={t('No more mails')}
        about={t(
          '{email} gets no more notifications of {company} by mail. Pushes stay as they were.',
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
      <AuthFrame title={t('This link does not work')} about={t(refusalText('unsubscribe.invalid'))}>
        <Button component="a" href="/settings/notifications" fullWidth>
          {t('Sign in')}
        </Button>
      </AuthFrame>
    );
  return (
    <AuthFrame
      title={t('No more notifications by mail?')}
      about={t('Mails about conversations stop. What you get on your devices stays as it is.')}
    >
      <Button
        fullWidth
        loading={isPending}
        onClick={async () => {
          if ((await mutate({ body: { token } })) === null) setWrong(true);
        }}
      >
        {t('Stop mails')}
      </Button>
    </AuthFrame>
  );
}
