import { Button, Skeleton, Text } from '@mantine/core';
import { subscription as contract } from '#contract';
import { planFeatures, planComponents, type PlanComponent } from '#contract/billing/rules';
import { t, useApiQuery, useCompanyId } from '#ui';
import css from './billing.module.css';
import { priceOf, type Plan, type Subscription } from './labels.ts';

/** Included anew each month, also where the plan is paid by the year. */
const eachMonth: readonly PlanComponent[] = [
  'voice_minutes',
  'text_credits',
  'transcription_minutes',
];

/** "Phone numbers: 10", "Call minutes: 5,000 a month", "People: no limit". */
const includedLine = ([component, n]: [PlanComponent, number | null]): string =>
  n === null
    ? t('{what}: no limit', { what: planComponents[component] })
    : t(eachMonth.includes(component) ? '{what}: {n, number} a month' : '{what}: {n, number}', {
        what: planComponents[component],
        n,
      });

/** The plans beside each other, with what each includes. */
export function PlanPicker({
  subscription,
  onPick,
}: {
  subscription: Subscription;
  onPick: (plan: Plan) => void;
}) {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(contract.listPlans, { params: { companyId } });
  if (!response) return <Skeleton height={300} />;
  const current = subscription.state === 'expired' ? null : subscription.plan?.identifier;
  return (
    <div className={css.plans}>
      {response.data.map((plan) => (
        <div
          key={plan.identifier}
          className={css.plan}
          data-current={plan.identifier === current || undefined}
        >
          <Text fw={600}>{plan.name}</Text>
          <Text>{priceOf(plan)}</Text>
          <ul>
            {(Object.entries(plan.included) as [PlanComponent, number | null][])
              .filter(([, n]) => n !== 0)
              .map((entry) => (
                <li key={entry[0]}>{includedLine(entry)}</li>
              ))}
            <li>{plan.features.map((feature) => planFeatures[feature]).join(', ')}</li>
          </ul>
          <Button
            variant={plan.identifier === current ? 'default' : 'filled'}
            disabled={plan.identifier === current}
            aria-label={t('Choose {plan}, {price}', { plan: plan.name, price: priceOf(plan) })}
            onClick={() => onPick(plan)}
          >
            {plan.identifier === current ? t('Your plan') : t('Choose')}
          </Button>
        </div>
      ))}
    </div>
  );
}
