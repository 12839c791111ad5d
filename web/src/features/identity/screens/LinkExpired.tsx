import { Button } from '@mantine/core';
import { sentences } from '#contract';
import { t } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';

/** Shown for an expired or used link. */
export default function LinkExpired() {
  return (
    <AuthFrame title={t('Link expired')} about={t(sentences.linkExpired)}>
      <Button component="a" href="/login" fullWidth>
        {t('Log in')}
      </Button>
    </AuthFrame>
  );
}
