import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatMoney, t, usePermission } from '#ui';
import type { Subscription } from './labels.ts';
import { usePayNow } from './use-pay-now.ts';

/** What is owed, why it wasn't paid, and the way to pay it. */
export function Outstanding({ subscription }: { subscription: Subscription }) {
  const mayPay = usePermission('billing.pay');
  const { pay, isPaying } = usePayNow();
  const { balance_cents: owed, payment_method: card, state_reason: reason } = subscription;
  if (owed <= 0) return null;
  return (
    <Alert
      mb="md"
      color={subscription.state === 'retry_period' ? 'red' : 'yellow'}
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title={t('Your account has an outstanding balance of {amount}', {
        amount: formatMoney(owed, subscription.currency),
      })}
    >
      <Text size="sm">
        {reason && `${reason} `}
        {t('Please update your payment info to reactivate your account.')}
      </Text>
      {mayPay && card && subscription.provider !== 'manual' && (
        <Group mt="sm">
          <Button size="xs" loading={isPaying} onClick={() => void pay()}>
            {t('Pay with the card ending in {last4}', { last4: card.last4 })}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
