import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { subscription as contract, type Answer } from '#contract';
import { planComponents, planFeatures } from '#contract/billing/rules';
import {
  ErrorState,
  Facts,
  formatMoney,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  useSession,
} from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { priceOf, withTax, type Plan } from './labels.ts';
import { afterPayment, showPayment } from './use-pay-now.ts';

type Preview = Answer<typeof contract.previewMigration>['data'];

/** What changes, what it costs now and what is lost, before anything happens. */
export function ChangePreview({
  plan,
  before,
  onDone,
  onBack,
}: {
  plan: Pick<Plan, 'identifier'>;
  /** Asked right before the change; false: it isn't made. */
  before?: () => Promise<boolean>;
  onDone: () => void;
  onBack: () => void;
}) {
  const companyId = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(
    contract.previewMigration,
    { params: { companyId }, body: { identifier: plan.identifier } },
    { silent: true, refetchOnMount: true },
  );
  const { mutate, isPending } = useApiMutation(contract.migrateSubscription, {
    invalidates: [...afterPayment, contract.usageComponents, contract.usageSimple],
    onSuccess: ({ meta }) => {
      showPayment(meta.payment);
      onDone();
    },
  });
  const preview = response?.data;
  const confirm = async (): Promise<void> => {
    if (before && !(await before())) return;
    await mutate({ params: { companyId }, body: { identifier: plan.identifier } });
  };
  return (
    <Stack gap="sm">
      {error && !preview && <ErrorState error={error} retry={refetch} />}
      {!preview && !error && <Skeleton height={160} />}
      {preview && <PreviewFacts preview={preview} />}
      <DialogFooter onCancel={onBack}>
        <Button loading={isPending} disabled={!preview} onClick={() => void confirm()}>
          {preview?.effective === 'period_end' ? t('Change then') : t('Change now')}
        </Button>
      </DialogFooter>
    </Stack>
  );
}

function PreviewFacts({ preview }: { preview: Preview }) {
  const { plan, lost_features: features, over_limit: over } = preview;
  // Features are of companies.
  const lost = useSession((session) => session.isOwnAccount) ? [] : features;
  return (
    <>
      <Facts
        rows={[
          [t('Plan'), `${plan.name}, ${priceOf(plan)}`],
          [
            t('From'),
            preview.effective === 'now' ? (
              t('Now')
            ) : (
              <Time key="at" at={preview.effective_at} as="date" />
            ),
          ],
          // Where it isn't what is charged, and a person would add up.
          preview.plan_cents > 0 &&
            preview.plan_cents !== preview.charge_now_cents - preview.tax_cents && [
              t('New plan'),
              formatMoney(preview.plan_cents, plan.currency),
            ],
          preview.usage_cents > 0 && [
            t('Usage until now'),
            formatMoney(preview.usage_cents, plan.currency),
          ],
          preview.credit_cents > 0 && [
            t('Credit for the time left'),
            formatMoney(-preview.credit_cents, plan.currency),
          ],
          [t('Charged now'), withTax(preview.charge_now_cents, preview.tax_cents)],
        ]}
      />
      {lost.length > 0 && (
        <Text size="sm">
          {t('You lose: {features}.', {
            features: lost.map((feature) => planFeatures[feature]).join(', '),
          })}
        </Text>
      )}
      {over.map(({ component, used, included }) => (
        <Text key={component} size="sm" c="var(--tl-warn)">
          {t('{what}: you use {used, number}, the plan includes {included, number}.', {
            what: planComponents[component],
            used,
            included,
          })}
        </Text>
      ))}
    </>
  );
}
