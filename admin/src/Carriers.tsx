import { Skeleton } from '@mantine/core';
import { carriers } from '#contract';
import { ErrorState, Page, t, useApiQuery } from '#ui';
import { CarrierList } from '#ui/carriers/CarrierList.tsx';

/** The carriers of this installation: whether each one works, and what it carries. */
export default function Carriers() {
  const { response, error, refetch } = useApiQuery(
    carriers.listPlatformCarriers,
    {},
    { silent: true, refetchInterval: 60_000 },
  );
  return (
    <Page title={t('Carriers')} description={t('Each account is checked every 15 minutes.')}>
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && <Skeleton height={120} aria-busy />}
      {response && (
        <CarrierList
          accounts={response.data}
          figuresOf={({ numbers, companies }) =>
            t(
              '{numbers, plural, one {# number} other {# numbers}} of {companies, plural, one {# company} other {# companies}}',
              { numbers, companies },
            )
          }
        />
      )}
    </Page>
  );
}
