import { Text } from '@mantine/core';
import { subscription as contract } from '#contract';
import {
  Facts,
  Section,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  usePermission,
  useSession,
} from '#ui';
import { PlanActions } from './PlanActions.tsx';
import { priceOf, stateLooks, taxText, withTax, type Subscription } from './labels.ts';

/** The plan, its state, and what comes next. */
export function PlanSection({ subscription }: { subscription: Subscription }) {
  const companyId = useCompanyId() ?? 0;
  const mayPlan = usePermission('billing.plan');
  const { response } = useApiQuery(
    contract.usageSimple,
    { params: { companyId } },
    { refetchInterval: 60_000 },
  );
  const { plan, state, trial_ends_at: trialEnd } = subscription;
  const looks = stateLooks(state, trialEnd !== null);
  const estimate = response?.data;
  return (
    <Section title={t('Plan')}>
      {!plan && <NoPlan />}
      {plan && (
        <Facts
          rows={[
            [t('Plan'), `${plan.name}, ${priceOf(plan)}`],
            [
              t('State'),
              <StatusBadge key="state" tone={looks.tone}>
                {looks.label}
              </StatusBadge>,
            ],
            trialEnd !== null && [t('Trial until'), <Time key="trial" at={trialEnd} as="date" />],
            subscription.cancel_at !== null && [
              t('Ends'),
              <Time key="end" at={subscription.cancel_at} as="date" />,
            ],
            subscription.pending_change && [
              t('Changes to'),
              <span key="change">
                {subscription.pending_change.plan.name},{' '}
                <Time at={subscription.pending_change.effective_at} as="date" />
              </span>,
            ],
            subscription.tax && [t('Tax'), taxText(subscription.tax)],
            subscription.next_charge_at !== null && [
              t('Next invoice'),
              <span key="next">
                {t('About {amount}', {
                  amount: withTax(
                    estimate?.estimated_total_cents ?? subscription.next_charge_cents ?? 0,
                    estimate?.estimated_tax_cents ?? 0,
                  ),
                })}
                {', '}
                <Time at={subscription.next_charge_at} as="date" />
              </span>,
            ],
          ]}
        />
      )}
      {mayPlan && <PlanActions subscription={subscription} />}
    </Section>
  );
}

function NoPlan() {
  const isIndividual = useSession((session) => session.isOwnAccount);
  return (
    <Text c="dimmed">
      {isIndividual ? t('You are on the free plan.') : t('You have no plan yet.')}
    </Text>
  );
}
