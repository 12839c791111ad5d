import { useState } from 'react';
import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import { support, type Answer } from '#contract';
import {
  DataList,
  ErrorState,
  formatPhoneNumber,
  lazyComponent,
  Page,
  Section,
  t,
  Time,
  useApiQuery,
  type Column,
} from '#ui';
import { FilterSelect } from '#ui/list/FilterSelect.tsx';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { useListScreen } from '#ui/list/list-screen.ts';

type Ticket = Answer<typeof support.listAllSupportTickets>['data'][number];
const defaultFilters = { search: '', status: '', page: 1, ticket: 0 };
const statuses = ['open', 'answered', 'closed'] as const;
const statusName = (status: Ticket['status']): string =>
  ({ open: t('Open'), answered: t('Answered'), closed: t('Closed') })[status];
const TicketDrawer = lazyComponent(async () => (await import('./TicketDrawer.tsx')).TicketDrawer);

/** Support requests of every company, and the company of a PIN that a caller names. */
export default function Tickets() {
  const tickets = useListScreen(support.listAllSupportTickets, {
    key: 'admin-tickets',
    perPage: 25,
    filters: defaultFilters,
    opens: ['ticket'],
    input: ({ page, search, status }, perPage) => ({
      query: {
        ...{ page, perPage, search: search || null },
        status: statuses.find((one) => one === status) ?? null,
      },
    }),
    ...{ silent: true, refetchInterval: 30_000 },
  });
  const { filters, set } = tickets;
  return (
    <Page
      title={t('Support requests')}
      filters={
        <ListFilters list={tickets} label={t('Search reference, text, company or email')}>
          <FilterSelect
            label={t('Status')}
            any={t('Any status')}
            value={filters.status}
            options={statuses.map((one) => [one, statusName(one)])}
            onChange={(status) => set({ status })}
          />
        </ListFilters>
      }
    >
      <PinLookup />
      <DataList
        label={t('Support requests')}
        {...tickets.list}
        rowKey={(ticket) => ticket.id}
        rowLabel={(ticket) => ticket.reference}
        columns={columns}
        onOpen={(ticket) => set({ ticket: ticket.id })}
        comfortable
        empty={
          <ListEmpty
            list={tickets}
            icon={IconLifebuoy}
            noMatch={t('No requests match')}
            title={t('No requests yet')}
          >
            {t('What people ask support appears here.')}
          </ListEmpty>
        }
      />
      {filters.ticket > 0 && <TicketDrawer id={filters.ticket} close={() => set({ ticket: 0 })} />}
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
