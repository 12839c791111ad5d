import { Anchor, Skeleton, Switch, Text } from '@mantine/core';
import { subscription as contract } from '#contract';
import {
  formatMoney,
  optimisticUpdate,
  Section,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
  useSession,
} from '#ui';
import css from './billing.module.css';
import { invoiceLooks, type Subscription } from './labels.ts';

/** Invoices, newest first, each as PDF, and whether they are mailed. */
export function Invoices({ subscription }: { subscription: Subscription }) {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(contract.listInvoices, {
    params: { companyId },
    query: { perPage: 24 },
  });
  const invoices = response?.data;
  return (
    <Section title={t('Invoices')}>
      <MailSwitch subscription={subscription} />
      {!invoices && <Skeleton height={80} mt="sm" />}
      {invoices?.length === 0 && (
        <Text c="dimmed" mt="sm">
          {t('No invoices yet. The first one comes when your trial ends.')}
        </Text>
      )}
      {invoices && invoices.length > 0 && (
        <table className={css.invoices}>
          <thead>
            <tr>
              <th>{t('Number')}</th>
              <th>{t('Date')}</th>
              <th className={css.wide}>{t('For')}</th>
              <th>{t('Status')}</th>
              <th className={css.money}>{t('Total')}</th>
            </tr>
          </thead>
          <tbody>
            {invoices.map((invoice) => (
              <tr key={invoice.id}>
                <td>
                  <Anchor href={invoice.pdf_url} download={`${invoice.number}.pdf`}>
                    {invoice.number}
                  </Anchor>
                </td>
                <td>
                  <Time at={invoice.issued_at} as="date" />
                </td>
                <td className={css.wide}>{invoice.lines[0]?.description}</td>
                <td>
                  <StatusBadge tone={invoiceLooks(invoice.status).tone}>
                    {invoiceLooks(invoice.status).label}
                  </StatusBadge>
                </td>
                <td className={css.money}>
                  {formatMoney(invoice.total_cents, invoice.currency)}
                  {invoice.tax_cents !== 0 && (
                    <Text size="xs" c="dimmed">
                      {t('Tax {amount}', { amount: formatMoney(invoice.tax_cents) })}
                    </Text>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

/** Turned at once, and back if it couldn't be saved. */
function MailSwitch({ subscription }: { subscription: Subscription }) {
  const companyId = useCompanyId() ?? 0;
  const mayChange = usePermission('billing.plan');
  const isIndividual = useSession((session) => session.isOwnAccount);
  const { mutate } = useApiMutation(contract.updateSubscription, {
    optimistic: (cache, { body }) =>
      optimisticUpdate(cache, contract.getSubscription, (response) =>
        body && 'receivesInvoiceEmails' in body
          ? { data: { ...response.data, receivesInvoiceEmails: body.receivesInvoiceEmails } }
          : undefined,
      ),
  });
  return (
    <Switch
      label={
        isIndividual ? t('Email me invoices') : t('Email invoices to owners and billing contacts')
      }
      checked={subscription.receivesInvoiceEmails}
      disabled={!mayChange}
      mb="sm"
      onChange={({ currentTarget }) =>
        void mutate({
          params: { companyId },
          body: { receivesInvoiceEmails: currentTarget.checked },
        })
      }
    />
  );
}
