import { useState } from 'react';
import { Button, Table, Text } from '@mantine/core';
import { formatMoney, Modal, Section, StatusBadge, t, Time } from '#ui';
import { RefundForm, type Account, type Invoice } from './RefundForm.tsx';

const statusOf = ({
  kind,
  total_cents: total,
  due_cents: due,
  refunded_cents: refunded,
}: Invoice) => {
  if (kind === 'credit_note') return { label: t('Credit'), tone: 'neutral' as const };
  if (due > 0) return { label: t('Due'), tone: 'warn' as const };
  if (refunded === 0) return { label: t('Paid'), tone: 'success' as const };
  return refunded < total
    ? { label: t('Partly refunded'), tone: 'neutral' as const }
    : { label: t('Refunded'), tone: 'neutral' as const };
};

function InvoiceRow({ invoice, refund }: { invoice: Invoice; refund: () => void }) {
  const { label, tone } = statusOf(invoice);
  const canRefund =
    invoice.kind === 'invoice' &&
    invoice.due_cents === 0 &&
    invoice.refunded_cents < invoice.total_cents;
  return (
    <Table.Tr>
      <Table.Td>{invoice.number}</Table.Td>
      <Table.Td visibleFrom="sm">
        <Time at={invoice.issued_at} as="date" />
      </Table.Td>
      <Table.Td>
        <StatusBadge tone={tone}>{label}</StatusBadge>
      </Table.Td>
      <Table.Td ta="end">
        {formatMoney(invoice.total_cents)}
        {invoice.tax_cents !== 0 && (
          <Text size="xs" c="dimmed">
            {t('Tax {amount}', { amount: formatMoney(invoice.tax_cents) })}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="sm">
        {formatMoney(invoice.due_cents)}
      </Table.Td>
      <Table.Td ta="end">
        {canRefund && (
          <Button
            size="xs"
            variant="default"
            aria-label={t('Refund {number}', { number: invoice.number })}
            onClick={refund}
          >
            {t('Refund')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Invoices and credit notes, and the way to refund what was paid. */
export function AccountInvoices({ account, companyId }: { account: Account; companyId: number }) {
  const [refunding, setRefunding] = useState<Invoice | null>(null);
  const close = (): void => setRefunding(null);
  return (
    <>
      <Section title={t('Invoices')}>
        {account.invoices.length === 0 && <Text c="dimmed">{t('No invoices yet')}</Text>}
        {account.invoices.length > 0 && (
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Number')}</Table.Th>
                <Table.Th visibleFrom="sm">{t('Date')}</Table.Th>
                <Table.Th>{t('Status')}</Table.Th>
                <Table.Th ta="end">{t('Total')}</Table.Th>
                <Table.Th ta="end" visibleFrom="sm">
                  {t('Open')}
                </Table.Th>
                <Table.Th aria-label={t('Actions')} />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {account.invoices.map((invoice) => (
                <InvoiceRow
                  key={invoice.id}
                  invoice={invoice}
                  refund={() => setRefunding(invoice)}
                />
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Modal
          opened={refunding !== null}
          onClose={close}
          title={t('Refund {number}', { number: refunding?.number ?? '' })}
          closeButtonProps={{ 'aria-label': t('Close') }}
        >
          {refunding && <RefundForm invoice={refunding} companyId={companyId} onDone={close} />}
        </Modal>
      </Section>
    </>
  );
}
