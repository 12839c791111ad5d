import { useState } from 'react';
import { Button, Group } from '@mantine/core';
import { subscription as contract } from '#contract';
import { Modal, t, useApiMutation, useCompanyId } from '#ui';
import { CancelForm } from './CancelForm.tsx';
import { ChangePreview } from './ChangePreview.tsx';
import type { Plan, Subscription } from './labels.ts';
import { PlanPicker } from './PlanPicker.tsx';

/** Buttons to choose, change, end or keep the plan. */
export function PlanActions({ subscription }: { subscription: Subscription }) {
  const [open, setOpen] = useState<'pick' | 'cancel' | Plan | null>(null);
  const { keep, revert, isBusy } = useKeeping();
  const { state } = subscription;
  const mayChoose = state === 'active' || state === 'not_subscribed' || state === 'expired';
  const close = (): void => setOpen(null);
  return (
    <Group mt="sm" gap="xs">
      {mayChoose && (
        <Button variant="default" onClick={() => setOpen('pick')}>
          {state === 'active' ? t('Change plan') : t('Choose a plan')}
        </Button>
      )}
      {subscription.pending_change && (
        <Button variant="default" loading={isBusy} onClick={revert}>
          {t('Keep {plan}', { plan: subscription.plan?.name ?? '' })}
        </Button>
      )}
      {state === 'canceling' && (
        <Button loading={isBusy} onClick={keep}>
          {t('Keep plan')}
        </Button>
      )}
      {state === 'active' && (
        <Button variant="subtle" color="gray" onClick={() => setOpen('cancel')}>
          {t('Cancel plan')}
        </Button>
      )}
      <Modal
        opened={open !== null}
        onClose={close}
        size={open === 'pick' ? '64rem' : 'md'}
        title={
          open === 'pick'
            ? t('Plans')
            : open === 'cancel'
              ? t('Cancel plan')
              : t('Change to {plan}?', { plan: open?.name ?? '' })
        }
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        {open === 'pick' && <PlanPicker subscription={subscription} onPick={setOpen} />}
        {open === 'cancel' && <CancelForm subscription={subscription} onDone={close} />}
        {open !== null && typeof open === 'object' && (
          <ChangePreview plan={open} onDone={close} onBack={() => setOpen('pick')} />
        )}
      </Modal>
    </Group>
  );
}

/** Takes a planned end or change back. */
function useKeeping() {
  const params = { companyId: useCompanyId() ?? 0 };
  const options = {
    success: t('You keep your plan'),
    invalidates: [contract.getSubscription, contract.usageSimple],
  };
  const clear = useApiMutation(contract.clearCancel, options);
  const undo = useApiMutation(contract.revertPendingProductChange, options);
  return {
    keep: () => void clear.mutate({ params }),
    revert: () => void undo.mutate({ params }),
    isBusy: clear.isPending || undo.isPending,
  };
}
