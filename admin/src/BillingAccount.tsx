import { useState } from 'react';
import { Button, Group, NumberInput, Stack, Table, Text, TextInput } from '@mantine/core';
import { billingAccounts as contract } from '#contract';
import {
  ErrorState,
  Facts,
  formatMoney,
  Page,
  Section,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  useApiQuery,
} from '#ui';
import { priceOf, stateLooks } from '#ui/billing/labels.ts';
import { AccountInvoices } from './AccountInvoices.tsx';
import { AccountTax } from './AccountTax.tsx';
import { changed, type Account } from './RefundForm.tsx';

/** One account: what it owes, its books, and what an operator does with it. */
export function AccountDetails({ companyId, close }: { companyId: number; close: () => void }) {
  const { response, error, refetch } = useApiQuery(
    contract.getBillingAccount,
    { params: { companyId } },
    { silent: true },
  );
  const account = response?.data;
  return (
    <Page title={account?.company.name ?? t('Account')} layout="read">
      <Button variant="default" size="xs" onClick={close} mb="md">
        {t('All accounts')}
      </Button>
      {error && !account && <ErrorState error={error} retry={refetch} />}
      {account && <Summary account={account} />}
      {account && <Actions account={account} companyId={companyId} />}
      {account && <AccountInvoices account={account} companyId={companyId} />}
      {account && <AccountTax account={account} companyId={companyId} />}
      {account && <Books account={account} />}
    </Page>
  );
}

/** What an account's state is called: suspended says more than past due. */
export function StateBadge({
  state,
  isTrial = false,
  suspended,
}: {
  state: Account['subscription']['state'];
  isTrial?: boolean;
  suspended: boolean;
}) {
  const { label, tone } = suspended
    ? { label: t('Suspended'), tone: 'danger' as const }
    : stateLooks(state, isTrial);
  return <StatusBadge tone={tone}>{label}</StatusBadge>;
}

function Summary({ account: { subscription, suspended } }: { account: Account }) {
  return (
    <Section title={t('Account')}>
      <Facts
        rows={[
          [
            t('Plan'),
            subscription.plan
              ? `${subscription.plan.name}, ${priceOf(subscription.plan)}`
              : t('None'),
          ],
          [
            t('State'),
            <StateBadge
              key="state"
              state={subscription.state}
              isTrial={subscription.trial_ends_at !== null}
              suspended={suspended}
            />,
          ],
          [t('Owes'), formatMoney(subscription.balance_cents)],
          subscription.current_period_end !== null && [
            t('Period ends'),
            <Time key="end" at={subscription.current_period_end} as="date" />,
          ],
        ]}
      />
    </Section>
  );
}

/** What came or is given: an amount and what it is. */
function AmountForm({
  label,
  button,
  initial,
  send,
}: {
  label: string;
  button: string;
  initial: number;
  send: (cents: number, text: string) => Promise<unknown>;
}) {
  const [amount, setAmount] = useState<number | string>(initial > 0 ? initial / 100 : '');
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(Math.round(Number(amount) * 100), text).then((ok) => ok && setText(''));
      }}
    >
      <Group align="end" gap="sm">
        <NumberInput
          label={t('Amount')}
          prefix="$"
          min={0.01}
          decimalScale={2}
          w={120}
          value={amount}
          onChange={setAmount}
        />
        <TextInput
          label={label}
          value={text}
          maxLength={100}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!amount || !text.trim()}>
          {button}
        </Button>
      </Group>
    </form>
  );
}

function Actions({ account, companyId }: { account: Account; companyId: number }) {
  const pay = useApiMutation(contract.recordPayment, { success: t('Payment entered'), ...changed });
  const credit = useApiMutation(contract.creditAccount, {
    success: t('Account credited'),
    ...changed,
  });
  const params = { companyId };
  return (
    <Section title={t('Payment and credit')}>
      <Stack gap="md">
        <AmountForm
          label={t('Payment reference')}
          button={t('Mark as paid')}
          initial={account.subscription.balance_cents}
          send={(amount_cents, reference) =>
            pay.mutate({ params, body: { amount_cents, reference } })
          }
        />
        <AmountForm
          label={t('Reason for the credit')}
          button={t('Credit')}
          initial={0}
          send={(amount_cents, reason) => credit.mutate({ params, body: { amount_cents, reason } })}
        />
        {account.has_clock && <Clock companyId={companyId} />}
      </Stack>
    </Section>
  );
}

function Clock({ companyId }: { companyId: number }) {
  const { mutate, isPending } = useApiMutation(contract.moveBillingClock, {
    success: t('Clock moved'),
    ...changed,
  });
  return (
    <Group gap="xs">
      <Text size="sm">{t('Move the test clock')}</Text>
      {[1, 5, 31].map((days) => (
        <Button
          key={days}
          variant="default"
          size="xs"
          loading={isPending}
          onClick={() => void mutate({ params: { companyId }, body: { days } })}
        >
          {t('{days, plural, one {# day} other {# days}}', { days })}
        </Button>
      ))}
    </Group>
  );
}

function Books({ account }: { account: Account }) {
  return (
    <Section title={t('Books')}>
      <Table>
        <Table.Tbody>
          {account.entries.map((entry) => (
            <Table.Tr key={entry.id}>
              <Table.Td>
                <Time at={entry.at} as="date" />
              </Table.Td>
              <Table.Td visibleFrom="sm">{kindName[entry.kind]()}</Table.Td>
              <Table.Td>{entry.description}</Table.Td>
              <Table.Td ta="end">{formatMoney(entry.amount_cents)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

const kindName: Record<Account['entries'][number]['kind'], () => string> = {
  charge: () => t('Charge'),
  payment: () => t('Payment'),
  credit: () => t('Credit'),
  refund: () => t('Refund'),
  correction: () => t('Correction'),
  tax: () => t('Tax'),
};
