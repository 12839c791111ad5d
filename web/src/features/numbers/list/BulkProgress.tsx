import { Alert, Button, List, Progress, Text } from '@mantine/core';
import { numbers } from '#contract';
import { formatNumber, t, useApiQuery, useLiveEvent } from '#ui';

/** Live progress of a bulk purchase. */
export function BulkProgress({ batchId, onClose }: { batchId: string; onClose: () => void }) {
  const { response, refetch } = useApiQuery(
    numbers.bulkPurchaseProgress,
    { params: { batchId } },
    { refetchInterval: 5000 },
  );
  const heard = (data: { batchId: string }): void => {
    if (data.batchId === batchId) refetch();
  };
  useLiveEvent(numbers.bulkPurchaseProgressed, heard);
  useLiveEvent(numbers.bulkPurchaseFinished, heard);
  const job = response?.data;
  const done = Boolean(job?.finishedAt);
  const bought = job?.purchased.length ?? 0;
  return (
    <Alert
      color={job?.finishedAt && job.failed > 0 ? 'orange' : 'accent'}
      title={
        done
          ? t('{n, plural, one {# number bought} other {# numbers bought}}', { n: bought })
          : t('Buying numbers')
      }
      withCloseButton={done}
      onClose={onClose}
      closeButtonLabel={t('Close')}
      role="status"
    >
      <Progress value={job?.progress ?? 0} aria-label={t('Purchase')} mb="xs" />
      <Text size="sm" data-numeric>
        {t('{processed} of {total}', {
          processed: formatNumber(job?.processed ?? 0),
          total: formatNumber(job?.total ?? 0),
        })}
        {job && job.failed > 0 && `, ${t('{n} not bought', { n: formatNumber(job.failed) })}`}
      </Text>
      {job && job.errors.length > 0 && (
        <List size="sm" mt="xs">
          {job.errors.slice(0, 10).map((e) => (
            <List.Item key={e.row}>
              {t('Number {row}: {message}', { row: e.row, message: e.message })}
            </List.Item>
          ))}
        </List>
      )}
      {done && (
        <Button component="a" href="/numbers" size="compact-sm" variant="default" mt="xs">
          {t('Show my numbers')}
        </Button>
      )}
    </Alert>
  );
}
