import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { EmptyState, Page, t } from '#ui';

export default function NotFound() {
  return (
    <Page title={t('Not found')}>
      <EmptyState
        icon={<IconMapOff size={28} stroke={1.5} />}
        title={t('There is nothing at this address')}
        action={
          <Button component="a" href="/" variant="default">
            {t('Go home')}
          </Button>
        }
      >
        {t('The link may be old, or what it named was deleted.')}
      </EmptyState>
    </Page>
  );
}
