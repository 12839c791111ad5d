import { Button } from '@mantine/core';
import { IconPhonePlus } from '@tabler/icons-react';
import { EmptyState, t } from '#ui';

/** What someone without a number sees: the way to one. */
export const FirstNumber = () => (
  <EmptyState
    icon={<IconPhonePlus size={28} stroke={1.5} />}
    title={t('Get your number')}
    action={
      <Button component="a" href="/caddy/numbers/new">
        {t('Get a number')}
      </Button>
    }
  >
    {t('Pick one anywhere in the United States or Canada. It’s ready at once.')}
  </EmptyState>
);
