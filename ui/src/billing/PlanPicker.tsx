import { useState } from 'react';
import { Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { subscription as contract } from '#contract';
import { planFeatures, planComponents, type PlanComponent } from '#contract/billing/rules';
import { formatMoney, t, useApiQuery, useCompanyId, useSession } from '#ui';
import css from './billing.module.css';
import { priceOf, type Plan, type Subscription } from './labels.ts';

/** Included anew each month, also where the plan is paid by the year. */
const eachMonth: readonly PlanComponent[] = [
  'voice_minutes',
  'text_credits',
  'transcription_minutes',
];

/** What of a plan is of use to an individual. */
const ofIndividuals: readonly PlanComponent[] = ['numbers', 'voice_minutes', 'text_credits'];

/** "Phone numbers: 10", "Call minutes: 5,000 a month", "People: no limit". */
const includedLine = ([component, n]: [PlanComponent, number | null]): string =>
  n === null
    ? t('{what}: no limit', { what: planComponents[component] })
    : t(eachMonth.includes(component) ? '{what}: {n, number} a month' : '{what}: {n, number}', {
        what: planComponents[component],
        n,
      });

/** Plans paid so often; one that isn't sold by the year stands beside those that are. */
const paidBy = (all: readonly Plan[], interval: Plan['interval']): Plan[] =>
  all.filter(
    (plan) =>
      plan.interval === interval || (plan.interval === 'month' && plan.yearly_counterpart === null),
  );

/** How much less a year costs than twelve months, at most, in percent. */
const yearlySaving = (all: readonly Plan[]): number =>
  Math.max(
    0,
    ...all.map((plan) => {
      const yearly = all.find(({ identifier }) => identifier === plan.yearly_counterpart);
      return yearly ? Math.round(100 - (100 * yearly.price_cents) / (12 * plan.price_cents)) : 0;
    }),
  );

/** The plans beside each other, with what each includes beyond the one before. */
export function PlanPicker({
  subscription,
  onPick,
}: {
  subscription: Subscription;
  onPick: (plan: Plan) => void;
}) {
  const companyId = useCompanyId() ?? 0;
  const [interval, setPaidBy] = useState(subscription.plan?.interval ?? 'month');
  const { response } = useApiQuery(contract.listPlans, { params: { companyId } });
  if (!response) return <Skeleton height={300} />;
  const current = subscription.state === 'expired' ? null : subscription.plan?.identifier;
  const shown = paidBy(response.data, interval);
  return (
    <>
      <SegmentedControl
        mb="md"
        aria-label={t('Pay')}
        value={interval}
        onChange={(value) => setPaidBy(value === 'year' ? 'year' : 'month')}
        data={[
          { value: 'month', label: t('Monthly') },
          {
            value: 'year',
            label: t('Yearly, save up to {n}%', { n: yearlySaving(response.data) }),
          },
        ]}
      />
      <div className={css.plans}>
        {shown.map((plan, i) => (
          <PlanCard
            key={plan.identifier}
            plan={plan}
            smaller={shown[i - 1]}
            isCurrent={plan.identifier === current}
            pick={() => onPick(plan)}
          />
        ))}
      </div>
    </>
  );
}

function PlanCard({
  plan,
  smaller,
  isCurrent,
  pick,
}: {
  plan: Plan;
  /** The plan before it; what that one includes isn't listed again. */
  smaller: Plan | undefined;
  isCurrent: boolean;
  pick: () => void;
}) {
  const isIndividual = useSession((session) => session.isOwnAccount);
  const builds =
    !isIndividual && smaller?.features.every((feature) => plan.features.includes(feature));
  const features = plan.features.filter(
    (feature) => !isIndividual && (!builds || !smaller?.features.includes(feature)),
  );
  return (
    <div className={css.plan} data-current={isCurrent || undefined}>
      <Text fw={600}>{plan.name}</Text>
      <div>
        <Text span fz="xl" fw={600}>
          {formatMoney(
            plan.interval === 'year' ? Math.round(plan.price_cents / 12) : plan.price_cents,
          )}
        </Text>{' '}
        <Text span c="dimmed">
          {t('a month')}
        </Text>
        <Text c="dimmed" size="xs">
          {plan.interval === 'year' ? t('Paid yearly: {price}', { price: priceOf(plan) }) : ' '}
        </Text>
      </div>
      <ul>
        {(Object.entries(plan.included) as [PlanComponent, number | null][])
          .filter(([what, n]) => n !== 0 && (!isIndividual || ofIndividuals.includes(what)))
          .map((entry) => (
            <li key={entry[0]}>{includedLine(entry)}</li>
          ))}
      </ul>
      <ul>
        {builds && <li>{t('All features of {plan}', { plan: smaller?.name ?? '' })}</li>}
        {features.map((feature) => (
          <li key={feature}>{planFeatures[feature]}</li>
        ))}
      </ul>
      <Button
        variant={isCurrent ? 'default' : 'filled'}
        disabled={isCurrent}
        aria-label={t('Choose {plan}, {price}', { plan: plan.name, price: priceOf(plan) })}
        onClick={pick}
      >
        {isCurrent ? t('Your plan') : t('Choose')}
      </Button>
    </div>
  );
}
