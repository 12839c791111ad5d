import { Progress, Skeleton, Text } from '@mantine/core';
import { subscription as contract, type Answer } from '#contract';
import {
  ErrorState,
  formatDuration,
  formatMoney,
  Section,
  t,
  Time,
  useApiQuery,
  useCompanyId,
} from '#ui';
import { SpendLimit } from './SpendLimit.tsx';
import css from '#ui/billing/billing.module.css';

type Component = Answer<typeof contract.usageComponents>['data'][number];

/** What was used in the current period, of how much, and what it will cost. */
export function Usage({ hasPlans }: { hasPlans: boolean }) {
  const companyId = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(
    contract.usageComponents,
    { params: { companyId } },
    { refetchInterval: 60_000 },
  );
  const simple = useApiQuery(
    contract.usageSimple,
    { params: { companyId } },
    { enabled: hasPlans && companyId !== 0, refetchInterval: 60_000 },
  );
  const components = response?.data;
  const [first] = components ?? [];
  return (
    <Section
      title={t('Usage')}
      about={
        first && (
          <>
            <Time at={first.period_start} as="date" /> – <Time at={first.period_end} as="date" />
          </>
        )
      }
    >
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!components && !error && <Skeleton height={200} />}
      {components && (
        <ul className={css.usage}>
          {components.map((component) => (
            <UsageRow key={component.key} component={component} />
          ))}
        </ul>
      )}
      {hasPlans && simple.response && <SpendLimit spend={simple.response.data.spend} />}
    </Section>
  );
}

/** "412 of 5,000", "412" without a limit; fees as money. */
const amountOf = ({ used, included, unit }: Component): string =>
  unit === 'cents'
    ? formatMoney(used)
    : included === null || included === 0
      ? t('{used, number}', { used })
      : t('{used, number} of {included, number}', { used, included });

function UsageRow({ component }: { component: Component }) {
  const { label, used, included, seconds, overage_qty: overage } = component;
  const share = included ? Math.min(100, (used / included) * 100) : 0;
  return (
    <li>
      <span className={css.usageName}>{label}</span>
      <span className={css.usageAmount}>{amountOf(component)}</span>
      {included ? (
        <Progress
          className={css.usageBar}
          value={share}
          color={overage > 0 ? 'red' : share >= 80 ? 'yellow' : 'teal'}
          size="sm"
          aria-label={label}
        />
      ) : null}
      {(seconds !== null || overage > 0) && (
        <Text size="xs" c="dimmed" className={css.usageBar}>
          {overage > 0 &&
            component.unit !== 'cents' &&
            t('{amount} for {n, number} beyond your plan. ', {
              n: overage,
              amount: formatMoney(component.overage_cents),
            })}
          {seconds !== null && t('Actual time: {time}', { time: formatDuration(seconds) })}
        </Text>
      )}
    </li>
  );
}
