import { useState } from 'react';
import { Button, Radio, Stack, Text, Textarea } from '@mantine/core';
import { subscription as contract } from '#contract';
import { plans, planIds, planRank } from '#contract/billing/rules';
import { t, Time, useApiMutation, useCompanyId } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { priceOf, type Subscription } from './labels.ts';

const reasons = () => [
  { value: 'too_expensive', label: t('It costs too much') },
  { value: 'missing_feature', label: t('Something is missing') },
  { value: 'unused', label: t('It isn’t used') },
  { value: 'moving', label: t('Moving to another provider') },
  { value: 'other', label: t('Something else') },
];

/** The largest plan below this one, paid as often; undefined: there is none. */
const smallerPlan = (plan: NonNullable<Subscription['plan']>) =>
  planIds
    .map((id) => plans[id])
    .filter(
      (other) =>
        other.is_public &&
        other.interval === plan.interval &&
        planRank(other.identifier) < planRank(plan.identifier),
    )
    .toSorted((a, b) => planRank(b.identifier) - planRank(a.identifier))[0];

/** Asks why, offers a smaller plan, and sets the plan to end when its period does. */
export function CancelForm({
  subscription,
  onDone,
}: {
  subscription: Subscription;
  onDone: () => void;
}) {
  const [reason, setReason] = useState('');
  const [comment, setComment] = useState('');
  const smaller = subscription.plan ? smallerPlan(subscription.plan) : undefined;
  const { send, isPending } = useCancel(reason, comment, onDone);
  return (
    <Stack gap="sm">
      {subscription.current_period_end && (
        <Text size="sm">
          {t('Everything works until')} <Time at={subscription.current_period_end} as="date" />.
        </Text>
      )}
      <Radio.Group label={t('Why?')} value={reason} onChange={setReason}>
        <Stack gap="xs" mt="xs">
          {reasons().map((one) => (
            <Radio key={one.value} {...one} />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea
        label={t('What could we do better?')}
        maxLength={1000}
        autosize
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
      {smaller && (
        <Button
          variant="light"
          disabled={!reason}
          loading={isPending}
          onClick={() => void send(smaller.identifier)}
        >
          {t('Change to {plan} for {price} instead', {
            plan: smaller.name,
            price: priceOf(smaller),
          })}
        </Button>
      )}
      <DialogFooter onCancel={onDone}>
        <Button color="red" disabled={!reason} loading={isPending} onClick={() => void send()}>
          {t('End plan')}
        </Button>
      </DialogFooter>
    </Stack>
  );
}

/** Sends the reason: to end the plan, or to change to a smaller one. */
function useCancel(reason: string, comment: string, onDone: () => void) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(contract.cancelSubscription, {
    success: (_, { body }) =>
      body && 'downsell_plan' in body
        ? t('Your plan changes when the period ends')
        : t('Plan set to end'),
    invalidates: [contract.getSubscription, contract.usageSimple],
    onSuccess: onDone,
  });
  const send = (downsell?: (typeof planIds)[number]) =>
    mutate({
      params: { companyId },
      body: { reason, ...(comment && { comment }), ...(downsell && { downsell_plan: downsell }) },
    });
  return { send, isPending };
}
