import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { EmptyState, Page, t } from '#ui';

export default function NotFound() {
  return (
    <Page title={t('Not found')}>
      <EmptyState
        icon={<IconMapOff size={28} stroke={1.5} />}
        title={t('There’s nothing at this address')}
        action={
          <Button component="a" href="/" variant="default">
            {t('Go home')}
          </Button>
        }
      >
        {t('The link may be old, or the item was deleted.')}
      </EmptyState>
    </Page>
  );
}
