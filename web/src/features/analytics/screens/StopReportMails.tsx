import { useState } from 'react';
import { Button } from '@mantine/core';
import { favorites, type Answer } from '#contract';
import { apiErrors } from '#contract/errors';
import { t, useApiMutation } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { useParam } from '../../../shared/params.ts';

/** Where the link in a report's email leads. Needs a click, because mail scanners open links, too. */
export default function StopReportMails() {
  const token = useParam('token');
  const [stopped, setStopped] = useState<Answer<typeof favorites.stopReportMails>['data']>();
  const [isOver, setOver] = useState(false);
  const { mutate, isPending } = useApiMutation(favorites.stopReportMails, {
    skipsSessionCheck: true,
    silent: true,
    onSuccess: ({ data }) => setStopped(data),
  });
  if (stopped)
    return (
      <AuthFrame
        title={t('These emails stop')}
        about={t('{email} won’t get “{name}” from {company} again.', stopped)}
      />
    );
  if (isOver)
    return (
      <AuthFrame title={t('Nothing to stop')} about={t(apiErrors['report_mails.stopped'].text)} />
    );
  return (
    <AuthFrame
      title={t('Stop these emails?')}
      about={t('You won’t get this report by email again. Other people still get it.')}
    >
      <Button
        fullWidth
        loading={isPending}
        onClick={async () => {
          if ((await mutate({ body: { token } })) === null) setOver(true);
        }}
      >
        {t('Stop emails')}
      </Button>
    </AuthFrame>
  );
}
