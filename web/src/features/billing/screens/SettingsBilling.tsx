import { Skeleton, Stack } from '@mantine/core';
import { subscription as contract } from '#contract';
import { ErrorState, t, useApiQuery, useCompanyId } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { CardSection } from '#ui/billing/CardSection.tsx';
import { Invoices } from '#ui/billing/Invoices.tsx';
import { Outstanding } from '#ui/billing/Outstanding.tsx';
import { PlanSection } from '#ui/billing/PlanSection.tsx';
import { Usage } from '../Usage.tsx';
import { YearlyOffer } from '../YearlyOffer.tsx';

/** Plan, usage, payment and invoices. Where the server has no billing, usage alone. */
export default function SettingsBilling() {
  const companyId = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(
    contract.getSubscription,
    { params: { companyId } },
    { silent: true, enabled: companyId !== 0 },
  );
  const isOff = error?.code === 'billing.off';
  const subscription = response?.data;
  return (
    <SettingsFrame
      title={t('Billing')}
      layout="read"
      description={
        isOff
          ? t('This server has no plans. Here is what was used.')
          : t('Your plan, what you use, and what you pay.')
      }
    >
      {error && !isOff && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && (
        <Stack>
          {[0, 1, 2].map((i) => (
            <Skeleton key={i} height={140} />
          ))}
        </Stack>
      )}
      {subscription && <Outstanding subscription={subscription} />}
      {subscription && <YearlyOffer />}
      {subscription && <PlanSection subscription={subscription} />}
      {(subscription || isOff) && <Usage hasPlans={subscription?.plan != null} />}
      {subscription && <CardSection subscription={subscription} />}
      {subscription && <Invoices subscription={subscription} />}
    </SettingsFrame>
  );
}
