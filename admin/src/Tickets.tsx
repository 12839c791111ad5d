import { useState } from 'react';
import { Anchor, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import { support, type Answer } from '#contract';
import {
  DataList,
  EmptyState,
  ErrorState,
  FilterBar,
  formatPhoneNumber,
  lazyComponent,
  Page,
  SearchField,
  Section,
  t,
  Time,
  useApiQuery,
  useFilters,
  usePageSize,
  type Column,
} from '#ui';

type Ticket = Answer<typeof support.listAllSupportTickets>['data'][number];
const defaultFilters = { search: '', status: '', page: 1, ticket: 0 };
const statuses = ['open', 'answered', 'closed'] as const;
const statusName = (status: Ticket['status']): string =>
  ({ open: t('Open'), answered: t('Answered'), closed: t('Closed') })[status];
const TicketDrawer = lazyComponent(async () => (await import('./TicketDrawer.tsx')).TicketDrawer);

/** Support requests of every company, and the company of a PIN that a caller names. */
export function Tickets() {
  const filtering = useFilters(defaultFilters);
  const { filters, set } = filtering;
  const { perPage, onPerPage } = usePageSize('admin-tickets', 25, () => set({ page: 1 }));
  const { response, error, loading, refetch } = useApiQuery(
    support.listAllSupportTickets,
    {
      query: {
        page: filters.page,
        perPage,
        search: filters.search || null,
        status: statuses.find((one) => one === filters.status) ?? null,
      },
    },
    { silent: true, refetchInterval: 30_000 },
  );
  return (
    <Page title={t('Support requests')} filters={<Filters {...filtering} />}>
      <PinLookup />
      <DataList
        label={t('Support requests')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(ticket) => ticket.id}
        rowLabel={(ticket) => ticket.reference}
        columns={columns}
        onOpen={(ticket) => set({ ticket: ticket.id })}
        comfortable
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={
          <EmptyState
            icon={<IconLifebuoy size={28} stroke={1.5} />}
            title={filters.search ? t('No requests match') : t('No requests yet')}
          >
            {t('What people ask support appears here.')}
          </EmptyState>
        }
      />
      {filters.ticket > 0 && <TicketDrawer id={filters.ticket} close={() => set({ ticket: 0 })} />}
    </Page>
  );
}

const Filters = ({ filters, set, clear }: ReturnType<typeof useFilters<typeof defaultFilters>>) => (
  <FilterBar isFiltered={Boolean(filters.search || filters.status)} onClear={clear}>
    <SearchField
      label={t('Search reference, text, company or email')}
      value={filters.search}
      onChange={(search) => set({ search })}
    />
    <Select
      aria-label={t('Status')}
      placeholder={t('Any status')}
      w={150}
      clearable
      clearButtonProps={{ 'aria-label': t('Clear the status') }}
      value={filters.status || null}
      data={statuses.map((value) => ({ value, label: statusName(value) }))}
      onChange={(status) => set({ status: status ?? '' })}
    />
  </FilterBar>
);

const columns: Column<Ticket>[] = [
  { key: 'reference', title: t('Reference'), width: '130px', cell: (ticket) => ticket.reference },
  {
    key: 'who',
    title: t('From'),
    width: 'minmax(160px, 1fr)',
    cell: (ticket) => (
      <Stack gap={0}>
        <span>{ticket.company.name}</span>
        <Anchor href={`mailto:${ticket.user.email}`} fz="xs">
          {ticket.user.email}
        </Anchor>
      </Stack>
    ),
  },
  {
    key: 'message',
    title: t('Request'),
    width: 'minmax(200px, 2fr)',
    cell: (ticket) => (
      <Stack gap={0}>
        <span>{ticket.message}</span>
        {ticket.attachments.map((file) => (
          <Anchor key={file.id} href={file.url} fz="xs">
            {file.name}
          </Anchor>
        ))}
      </Stack>
    ),
  },
  {
    key: 'status',
    title: t('Status'),
    width: '150px',
    cell: ({ status, assignee }) => (
      <Stack gap={0}>
        <span>{statusName(status)}</span>
        {assignee && (
          <Text fz="xs" c="dimmed">
            {assignee.name}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: 'callback',
    title: t('Call back'),
    width: '150px',
    wideOnly: true,
    cell: (ticket) =>
      ticket.callback_requested
        ? ticket.callback_number
          ? formatPhoneNumber(ticket.callback_number)
          : t('Yes')
        : '–',
  },
  {
    key: 'created',
    title: t('Sent'),
    width: '110px',
    wideOnly: true,
    cell: (ticket) => <Time at={ticket.created_at} as="ago" />,
  },
];

/** Finds the company whose PIN a caller names. */
function PinLookup() {
  const [typed, setTyped] = useState('');
  const [pin, setPin] = useState('');
  const { response, error, refetch } = useApiQuery(
    support.findCompaniesByPin,
    { query: { pin } },
    { enabled: pin !== '', silent: true, staleTime: 0 },
  );
  const found = pin ? response?.data : undefined;
  return (
    <Section title={t('Who is calling?')} about={t('Ask for the six digits under Support.')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setPin(typed);
        }}
        noValidate
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('Support PIN')}
            inputMode="numeric"
            maxLength={6}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value.replace(/\D/g, ''))}
          />
          <Button type="submit" variant="default" disabled={typed.length !== 6}>
            {t('Find')}
          </Button>
        </Group>
      </form>
      {error && <ErrorState error={error} retry={refetch} />}
      {found && (
        <Text role="status" mt="xs">
          {found.map((company) => company.name).join(', ') || t('No company has this PIN.')}
        </Text>
      )}
    </Section>
  );
}
