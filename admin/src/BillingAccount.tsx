import { useState } from 'react';
import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { billingAccounts as contract, type Answer, type Body } from '#contract';
import {
  ErrorState,
  Facts,
  formatMoney,
  Page,
  Section,
  t,
  Time,
  useApiMutation,
  useApiQuery,
} from '#ui';

type Account = Answer<typeof contract.getBillingAccount>['data'];

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
      {account && <Books account={account} companyId={companyId} />}
    </Page>
  );
}

function Summary({ account: { subscription, suspended } }: { account: Account }) {
  return (
    <Section title={t('Account')}>
      <Facts
        rows={[
          [t('Plan'), subscription.plan?.name ?? t('None')],
          [t('State'), suspended ? t('Suspended') : subscription.state],
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

const changed = {
  invalidates: [contract.getBillingAccount, contract.listBillingAccounts],
};

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
    <Section title={t('Change')}>
      <Stack gap="md">
        <AmountForm
          label={t('Reference of the payment')}
          button={t('Mark as paid')}
          initial={account.subscription.balance_cents}
          send={(amount_cents, reference) =>
            pay.mutate({ params, body: { amount_cents, reference } })
          }
        />
        <AmountForm
          label={t('Reason of the credit')}
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
      <Text size="sm">{t('Let time pass')}</Text>
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

function Books({ account, companyId }: { account: Account; companyId: number }) {
  const { mutate } = useApiMutation(contract.refundInvoice, { success: t('Refunded'), ...changed });
  const refund = (body: Body<typeof contract.refundInvoice>): void =>
    void mutate({ params: { companyId }, body });
  return (
    <>
      <Section title={t('Invoices')}>
        <Stack gap="xs">
          {account.invoices.map((invoice) => (
            <Group key={invoice.id} justify="space-between">
              <Text size="sm">
                {invoice.number}, {formatMoney(invoice.total_cents)}
                {invoice.due_cents > 0 &&
                  `, ${t('{amount} open', { amount: formatMoney(invoice.due_cents) })}`}
              </Text>
              {invoice.kind === 'invoice' &&
                invoice.due_cents === 0 &&
                invoice.refunded_cents < invoice.total_cents && (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() =>
                      refund({ invoice_id: invoice.id, reason: t('Refund'), ends_plan: false })
                    }
                  >
                    {t('Refund')}
                  </Button>
                )}
            </Group>
          ))}
          {account.invoices.length === 0 && <Text c="dimmed">{t('No invoices yet')}</Text>}
        </Stack>
      </Section>
      <Section title={t('Books')}>
        <Stack gap={4}>
          {account.entries.map((entry) => (
            <Group key={entry.id} justify="space-between">
              <Text size="sm">
                <Time at={entry.at} as="date" /> {entry.description}
              </Text>
              <Text size="sm">{formatMoney(entry.amount_cents)}</Text>
            </Group>
          ))}
        </Stack>
      </Section>
    </>
  );
}
