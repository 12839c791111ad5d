import { IconLifebuoy } from '@tabler/icons-react';
import { companies, support, type Answer } from '#contract';
import {
  DataList,
  EmptyState,
  Page,
  Section,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePageSize,
  type Column,
} from '#ui';
import { TicketDrawer } from '../support/TicketDrawer.tsx';
import { TicketStatus } from '../support/TicketStatus.tsx';
import { TicketForm } from '../support/TicketForm.tsx';
import css from '../support/Support.module.css';

type Ticket = Answer<typeof support.listSupportTickets>['data'][number];

/** Asks support for help; the company's PIN for the phone, and the person's own tickets. */
export default function Support() {
  return (
    <Page
      title={t('Support')}
      description={t('Contact us. On the phone, give your PIN.')}
      layout="read"
    >
      <SupportPin />
      <Section title={t('Ask for help')}>
        <TicketForm />
      </Section>
      <Section title={t('Your requests')}>
        <Tickets />
      </Section>
    </Page>
  );
}

function SupportPin() {
  const { response } = useApiQuery(companies.getUser, {}, { staleTime: 60_000, silent: true });
  const companyId = useCompanyId();
  const pin = response?.data.support_pins.find((p) => p.company_id === companyId)?.pin;
  if (!pin) return null;
  return (
    <Section
      title={t('Support PIN')}
      about={t('Tell support these six digits when you call. They change every week.')}
    >
      <output className={css.pin} aria-label={t('Support PIN')}>
        {pin}
      </output>
    </Section>
  );
}

const defaultFilters = { page: 1, ticket: 0 };

function Tickets() {
  const { filters, set } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('tickets', 25, () => set({ page: 1 }));
  const { response, error, loading, refetch } = useApiQuery(
    support.listSupportTickets,
    {
      params: { companyId: useCompanyId() ?? 0 },
      query: { page: filters.page, perPage },
    },
    { silent: true },
  );
  return (
    <>
      <DataList
        label={t('Your requests')}
        onOpen={(ticket) => set({ ticket: ticket.id })}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(ticket) => ticket.id}
        rowLabel={(ticket) => ticket.reference}
        columns={columns}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={
          <EmptyState icon={<IconLifebuoy size={28} stroke={1.5} />} title={t('No requests yet')}>
            {t('What you ask support appears here with its reference.')}
          </EmptyState>
        }
      />
      {filters.ticket > 0 && <TicketDrawer id={filters.ticket} close={() => set({ ticket: 0 })} />}
    </>
  );
}

const columns: Column<Ticket>[] = [
  { key: 'reference', title: t('Reference'), width: '130px', cell: (ticket) => ticket.reference },
  { key: 'message', title: t('Request'), cell: (ticket) => ticket.message },
  {
    key: 'status',
    title: t('Status'),
    width: '110px',
    cell: (ticket) => <TicketStatus status={ticket.status} />,
  },
  {
    key: 'created',
    title: t('Last news'),
    width: '110px',
    wideOnly: true,
    cell: (ticket) => <Time at={ticket.changed_at} as="ago" />,
  },
];
