import { Anchor, Group, Stack } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { platform as contract, type Answer } from '#contract';
import {
  DataList,
  Drawer,
  Facts,
  formatNumber,
  Page,
  StatusBadge,
  t,
  Time,
  type Column,
  type Tone,
} from '#ui';
import { FilterSelect } from '#ui/list/FilterSelect.tsx';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { useListScreen } from '#ui/list/list-screen.ts';

type Company = Answer<typeof contract.listPlatformCompanies>['data'][number];
const defaultFilters = { search: '', status: '', sort: 'name', dir: 'asc', page: 1, company: 0 };
const statuses = ['active', 'parked', 'suspended', 'deactivated'] as const;
type Status = (typeof statuses)[number];
const statusLooks: Record<Status, [label: () => string, tone: Tone]> = {
  active: [() => t('Active'), 'success'],
  parked: [() => t('Parked'), 'warn'],
  suspended: [() => t('Suspended'), 'danger'],
  deactivated: [() => t('Deactivated'), 'neutral'],
};
const statusOf = ({ status, suspended }: Company): Status =>
  suspended ? 'suspended' : (['active', 'parked', 'deactivated'] as const)[status];

/** Every company of this installation. */
export default function Companies() {
  const companies = useListScreen(contract.listPlatformCompanies, {
    key: 'admin-companies',
    perPage: 25,
    filters: defaultFilters,
    opens: ['company'],
    input: ({ page, search, status, sort, dir }, perPage) => ({
      query: {
        ...{ page, perPage, dir, search: search || null },
        status: statuses.find((one) => one === status) ?? null,
        sort: sort === 'created_at' ? 'created_at' : 'name',
      },
    }),
    silent: true,
  });
  const { filters, set } = companies;
  const opened = companies.response?.data.find(({ id }) => id === filters.company);
  return (
    <Page
      title={t('Companies')}
      filters={
        <ListFilters list={companies} label={t('Search name or ID')}>
          <FilterSelect
            label={t('Status')}
            any={t('Any status')}
            value={filters.status}
            options={statuses.map((one) => [one, statusLooks[one][0]()])}
            onChange={(status) => set({ status })}
          />
        </ListFilters>
      }
    >
      <DataList
        label={t('Companies')}
        {...companies.list}
        rowKey={(company) => company.id}
        rowLabel={(company) => company.name}
        columns={columns}
        onOpen={(company) => set({ company: company.id })}
        empty={
          <ListEmpty
            list={companies}
            icon={IconBuilding}
            noMatch={t('No companies match')}
            title={t('No companies yet')}
          >
            {t('Companies appear here when people sign up.')}
          </ListEmpty>
        }
      />
      {opened && <CompanyDrawer company={opened} close={() => set({ company: 0 })} />}
    </Page>
  );
}

function CompanyStatus({ company }: { company: Company }) {
  const [label, tone] = statusLooks[statusOf(company)];
  return <StatusBadge tone={tone}>{label()}</StatusBadge>;
}

const columns: Column<Company>[] = [
  {
    key: 'name',
    title: t('Name'),
    width: 'minmax(140px, 1.4fr)',
    sortable: true,
    cell: (c) => c.name,
  },
  {
    key: 'organization',
    title: t('Organization'),
    width: 'minmax(120px, 1fr)',
    wideOnly: true,
    cell: (c) => c.organization?.name ?? '',
  },
  {
    key: 'status',
    title: t('Status'),
    width: '120px',
    cell: (company) => <CompanyStatus company={company} />,
  },
  {
    key: 'users',
    title: t('Users'),
    width: '70px',
    align: 'end',
    wideOnly: true,
    cell: (c) => formatNumber(c.users),
  },
  {
    key: 'numbers',
    title: t('Numbers'),
    width: '80px',
    align: 'end',
    wideOnly: true,
    cell: (c) => formatNumber(c.numbers),
  },
  {
    key: 'created_at',
    title: t('Created'),
    width: '110px',
    align: 'end',
    sortable: true,
    wideOnly: true,
    cell: (c) => <Time at={c.created_at} as="date" />,
  },
  {
    key: 'last_seen_at',
    title: t('Last used'),
    width: '110px',
    align: 'end',
    cell: (c) => (c.last_seen_at ? <Time at={c.last_seen_at} as="ago" /> : t('Never')),
  },
];

/** What support needs to know of a company, and where to go on from there. */
function CompanyDrawer({ company, close }: { company: Company; close: () => void }) {
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      title={company.name}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="md">
        <Facts
          rows={[
            [t('ID'), String(company.id)],
            [t('Short name'), company.slug],
            [t('Status'), <CompanyStatus key="status" company={company} />],
            [t('Organization'), company.organization?.name ?? t('None')],
            [t('Users'), formatNumber(company.users)],
            [t('Numbers'), formatNumber(company.numbers)],
            [t('Created'), <Time key="created" at={company.created_at} as="date" />],
            [
              t('Last used'),
              company.last_seen_at ? <Time key="seen" at={company.last_seen_at} /> : t('Never'),
            ],
          ]}
        />
        <Group gap="md">
          <Anchor href={`/admin/people?company=${company.id}`}>{t('Its people')}</Anchor>
          <Anchor href={`/admin/remote-login?company=${company.id}`}>{t('Act as a person')}</Anchor>
        </Group>
      </Stack>
    </Drawer>
  );
}
