import { Anchor, Stack, Table } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { platform as contract, roleList, type Answer } from '#contract';
import {
  DataList,
  Drawer,
  Facts,
  formatNumber,
  Page,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  type Column,
} from '#ui';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { useListScreen } from '#ui/list/list-screen.ts';

type Person = Answer<typeof contract.listPlatformPeople>['data'][number];
const defaultFilters = { search: '', company: 0, page: 1, person: 0 };

/** Every person of this installation, found by name or email. */
export default function People() {
  const people = useListScreen(contract.listPlatformPeople, {
    key: 'admin-people',
    perPage: 25,
    filters: defaultFilters,
    opens: ['person'],
    input: ({ page, search, company }, perPage) => ({
      query: { page, perPage, search: search || null, company_id: company || null },
    }),
    silent: true,
  });
  const { filters, set } = people;
  const opened = people.response?.data.find(({ id }) => id === filters.person);
  return (
    <Page
      title={t('People')}
      filters={
        <ListFilters list={people} label={t('Search name or email')}>
          {filters.company > 0 && <CompanyName id={filters.company} />}
        </ListFilters>
      }
    >
      <DataList
        label={t('People')}
        {...people.list}
        rowKey={(person) => person.id}
        rowLabel={(person) => person.name || person.email}
        columns={columns}
        onOpen={(person) => set({ person: person.id })}
        empty={
          <ListEmpty
            list={people}
            icon={IconUsers}
            noMatch={t('No people match')}
            title={t('No people yet')}
          >
            {t('People appear here when they sign up or are invited.')}
          </ListEmpty>
        }
      />
      {opened && <PersonDrawer person={opened} close={() => set({ person: 0 })} />}
    </Page>
  );
}

/** The company whose people are listed. */
function CompanyName({ id }: { id: number }) {
  const { response } = useApiQuery(
    contract.listPlatformCompanies,
    { query: { search: String(id), perPage: 100 } },
    { silent: true, staleTime: 60_000 },
  );
  const name = response?.data.find((company) => company.id === id)?.name;
  return <span>{name ? t('In {company}', { company: name }) : ''}</span>;
}

const roleName = (role: string): string =>
  role === 'deactivated' ? t('Inactive') : t(roleList.find(({ id }) => id === role)?.label ?? role);

const columns: Column<Person>[] = [
  { key: 'name', title: t('Name'), width: 'minmax(120px, 1fr)', cell: (p) => p.name },
  {
    key: 'email',
    title: t('Email'),
    width: 'minmax(140px, 1.2fr)',
    cell: (p) => p.email,
  },
  {
    key: 'companies',
    title: t('Companies'),
    width: 'minmax(140px, 1.4fr)',
    wideOnly: true,
    cell: (p) =>
      p.is_staff ? (
        <StatusBadge tone="accent">{t('Platform staff')}</StatusBadge>
      ) : (
        p.companies.map(({ name }) => name).join(', ')
      ),
  },
  {
    key: 'last_seen_at',
    title: t('Last seen'),
    width: '110px',
    align: 'end',
    wideOnly: true,
    cell: (p) => (p.last_seen_at ? <Time at={p.last_seen_at} as="ago" /> : t('Never')),
  },
];

/** A person and what they are in which company. */
function PersonDrawer({ person, close }: { person: Person; close: () => void }) {
  const more = person.company_count - person.companies.length;
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      title={person.name || person.email}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="md">
        <Facts
          rows={[
            [
              t('Email'),
              <Anchor key="email" href={`mailto:${person.email}`}>
                {person.email}
              </Anchor>,
            ],
            [t('Created'), <Time key="created" at={person.created_at} as="date" />],
            [
              t('Last seen'),
              person.last_seen_at ? <Time key="seen" at={person.last_seen_at} /> : t('Never'),
            ],
          ]}
        />
        <Memberships person={person} />
        {more > 0 && <p>{t('And {n} more.', { n: formatNumber(more) })}</p>}
      </Stack>
    </Drawer>
  );
}

/** What a person is in each of their companies. */
const Memberships = ({ person }: { person: Person }) => (
  <Table>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('Company')}</Table.Th>
        <Table.Th>{t('Role')}</Table.Th>
        <Table.Th>{t('Support')}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {person.companies.map(({ id, name, role }) => (
        <Table.Tr key={id}>
          <Table.Td>{name}</Table.Td>
          <Table.Td>{roleName(role)}</Table.Td>
          <Table.Td>
            {role !== 'deactivated' && !person.is_staff && (
              <Anchor
                href={`/admin/remote-login?company=${id}&person=${person.id}`}
                aria-label={t('Act as {name} in {company}', {
                  name: person.name || person.email,
                  company: name,
                })}
              >
                {t('Act as')}
              </Anchor>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
