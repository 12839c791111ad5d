import { ThemeIcon } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { AppFrame, EmptyState, Page, t } from '#ui';

const mark = (
  <ThemeIcon size={24} radius={6} aria-hidden>
    <IconPhone size={16} stroke={2} />
  </ThemeIcon>
);

/** Phone numbers for individuals. It has no screens yet. */
export const Caddy = () => (
  <AppFrame href="/caddy/" name="Caddy" mark={mark}>
    <Page title={t('Welcome to Caddy')}>
      <EmptyState icon={<IconPhone size={28} stroke={1.5} />} title={t('Caddy isn’t open yet')}>
        {t('You can’t sign up or get a number here yet.')}
      </EmptyState>
    </Page>
  </AppFrame>
);
