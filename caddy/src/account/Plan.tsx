import { Stack, Text } from '@mantine/core';
import { subscription as contract } from '#contract';
import { CardSection } from '#ui/billing/CardSection.tsx';
import { Invoices } from '#ui/billing/Invoices.tsx';
import { Outstanding } from '#ui/billing/Outstanding.tsx';
import { PlanSection } from '#ui/billing/PlanSection.tsx';
import { ErrorState, PageSkeleton, t, useApiQuery, useCompanyId } from '#ui';
import { UsageMeters } from '../numbers/UsageMeters.tsx';
import { AccountPage } from './AccountPage.tsx';

/** The plan, what it has left, what is paid for it, and the way to another one. */
export default function Plan() {
  return <AccountPage title={t('Plan')}>{() => <PlanSections />}</AccountPage>;
}

function PlanSections() {
  const companyId = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(
    contract.getSubscription,
    { params: { companyId } },
    { silent: true },
  );
  const subscription = response?.data;
  if (error && !subscription)
    return error.code === 'billing.off' ? (
      <Stack gap="lg">
        <Text>{t('This server has no paid plans. You are on the free plan.')}</Text>
        <UsageMeters />
      </Stack>
    ) : (
      <ErrorState error={error} retry={refetch} />
    );
  if (!subscription) return <PageSkeleton />;
  const hasPaid = subscription.id !== null;
  return (
    <>
      <Outstanding subscription={subscription} />
      <PlanSection subscription={subscription} />
      <UsageMeters />
      <CardSection subscription={subscription} />
      {hasPaid && <Invoices subscription={subscription} />}
    </>
  );
}
