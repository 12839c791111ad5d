import { useState } from 'react';
import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import { support, type Answer } from '#contract';
import {
  DataList,
  EmptyState,
  ErrorState,
  FilterBar,
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
const defaultFilters = { search: '', page: 1 };

/** Support requests of every company, and the company of a PIN that a caller names. */
export function Tickets() {
  const { filters, set, clear } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('admin-tickets', 25, () => set({ page: 1 }));
  const { response, error, loading, refetch } = useApiQuery(
    support.listAllSupportTickets,
    { query: { page: filters.page, perPage, search: filters.search || null } },
    { silent: true, refetchInterval: 30_000 },
  );
  return (
    <Page
      title={t('Support requests')}
      filters={
        <FilterBar isFiltered={Boolean(filters.search)} onClear={clear}>
          <SearchField
            label={t('Search reference, text, company or email')}
            value={filters.search}
            onChange={(search) => set({ search })}
          />
        </FilterBar>
      }
    >
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
    </Page>
  );
}

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
    key: 'callback',
    title: t('Call back'),
    width: '150px',
    wideOnly: true,
    cell: (ticket) => (ticket.callback_requested ? (ticket.callback_number ?? t('Yes')) : '–'),
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
