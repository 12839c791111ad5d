import { Button } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { EmptyState, t } from '#ui';

/** Nothing was counted. `clear` takes filters away; null: there are none. */
export const NoCalls = ({ clear }: { clear: (() => void) | null }) => (
  <EmptyState
    icon={<IconChartBar size={28} stroke={1.5} />}
    title={t('No calls in this period')}
    action={
      clear && (
        <Button variant="default" onClick={clear}>
          {t('Clear filters')}
        </Button>
      )
    }
  >
    {t('Calls are counted as they arrive. Choose a longer period, or fewer filters.')}
  </EmptyState>
);
