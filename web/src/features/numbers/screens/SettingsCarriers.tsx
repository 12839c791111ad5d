import { Button, Skeleton } from '@mantine/core';
import { carriers } from '#contract';
import { ErrorState, t, useApiQuery, useApiMutation } from '#ui';
import { CarrierList } from '#ui/carriers/CarrierList.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';

/**
 * The carriers of this installation: which ones work, what is wrong with the others, and who can
 * fix it.
 */
export default function SettingsCarriers() {
  const { response, error, refetch } = useApiQuery(carriers.listCarriers, {}, { silent: true });
  const { mutate, isPending } = useApiMutation(carriers.checkCarriers, {
    invalidates: [carriers.listCarriers],
    success: t('Checked'),
  });
  const check = (
    <Button variant="default" loading={isPending} onClick={() => void mutate({ body: {} })}>
      {t('Check again')}
    </Button>
  );
  return (
    <SettingsFrame
      title={t('Carriers')}
      action={check}
      description={t(
        'The carriers your calls and texts go through. Each account is checked every 15 minutes.',
      )}
    >
      {response ? (
        <CarrierList accounts={response.data} />
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton height={120} aria-busy />
      )}
    </SettingsFrame>
  );
}
