import { Alert, Button, Stack } from '@mantine/core';
import { caddy } from '#contract';
import { ErrorState, Page, PageSkeleton, t, useApiQuery } from '#ui';
import { useNumbers } from '../use-numbers.ts';
import { FirstNumber } from './FirstNumber.tsx';
import { NumberCard } from './NumberCard.tsx';
import { UsageMeters } from './UsageMeters.tsx';

const getOne = () => (
  <Button component="a" href="/caddy/numbers/new">
    {t('Get a number')}
  </Button>
);

/** The person's numbers with their counters, and what the plan has left. */
export default function Numbers() {
  const { numbers, active = [], error, refetch } = useNumbers();
  if (error && !numbers)
    return (
      <Page title={t('Numbers')}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    );
  if (!numbers) return <PageSkeleton />;
  return (
    <Page title={t('Numbers')} action={active.length > 0 && getOne()}>
      <Stack gap="md">
        <InactivityNote />
        {numbers.length === 0 ? (
          <FirstNumber />
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
