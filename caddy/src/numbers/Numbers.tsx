import { Alert, Button, Stack } from '@mantine/core';
import { IconPhonePlus } from '@tabler/icons-react';
import { caddy } from '#contract';
import { EmptyState, ErrorState, Page, PageSkeleton, t, useApiQuery } from '#ui';
import { NumberCard } from './NumberCard.tsx';
import { UsageMeters } from './UsageMeters.tsx';

const getOne = () => (
  <Button component="a" href="/caddy/numbers/new">
    {t('Get a number')}
  </Button>
);

/** The person's numbers with their counters, and what the plan has left. */
export function Numbers() {
  const { response, error, refetch } = useApiQuery(caddy.listCaddyNumbers, {}, { silent: true });
  if (error && !response)
    return (
      <Page title={t('Numbers')}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    );
  if (!response) return <PageSkeleton />;
  const numbers = response.data;
  const active = numbers.filter(({ isActive }) => isActive);
  return (
    <Page title={t('Numbers')} action={active.length > 0 && getOne()}>
      <Stack gap="md">
        <InactivityNote />
        {numbers.length === 0 ? (
          <EmptyState
            icon={<IconPhonePlus size={28} stroke={1.5} />}
            title={t('Get your number')}
            action={getOne()}
          >
            {t('Pick one anywhere in the United States or Canada. It’s ready at once.')}
          </EmptyState>
        ) : (
          <>
            {active.length === 0 && (
              <Alert color="yellow">
                {t('You have no active number. Restore one, or get a new one.')}{' '}
              </Alert>
            )}
            {numbers.map((number) => (
              <NumberCard key={number.id} number={number} activeIds={active.map(({ id }) => id)} />
            ))}
            {active.length === 0 && getOne()}
          </>
        )}
        <UsageMeters />
      </Stack>
    </Page>
  );
}

/** Says when numbers are removed because no one uses them. */
function InactivityNote() {
  const { response } = useApiQuery(caddy.getCaddyInactivity, {}, { silent: true });
  if (!response?.data.message) return null;
  return <Alert color="yellow">{response.data.message}</Alert>;
}
