import { Anchor, Group, Select, Stack } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { platform as contract, type Answer } from '#contract';
import {
  DataList,
  Drawer,
  EmptyState,
  Facts,
  FilterBar,
  formatNumber,
  Page,
  SearchField,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useFilters,
  usePageSize,
  type Column,
  type Tone,
} from '#ui';

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

type Filtering = ReturnType<typeof useFilters<typeof defaultFilters>>;

/** Every company of this installation. */
export function Companies() {
  const filtering = useFilters(defaultFilters);
  const { filters, set } = filtering;
  const { perPage, onPerPage } = usePageSize('admin-companies', 25, () => set({ page: 1 }));
  const dir = filters.dir === 'desc' ? 'desc' : 'asc';
  const { response, error, loading, refetch } = useApiQuery(
    contract.listPlatformCompanies,
    {
      query: {
        page: filters.page,
        perPage,
        search: filters.search || null,
        status: statuses.find((one) => one === filters.status) ?? null,
        sort: filters.sort === 'created_at' ? 'created_at' : 'name',
        dir,
      },
    },
    { silent: true },
  );
  const opened = response?.data.find(({ id }) => id === filters.company);
  return (
    <Page title={t('Companies')} filters={<CompanyFilters {...filtering} />}>
      <DataList
        label={t('Companies')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(company) => company.id}
        rowLabel={(company) => company.name}
        columns={columns}
        sort={{ field: filters.sort, dir }}
        onSort={(by) => set({ sort: by.field, dir: by.dir })}
        onOpen={(company) => set({ company: company.id, page: filters.page })}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={<NoCompanies isFiltered={Boolean(filters.search || filters.status)} />}
      />
      {opened && (
        <CompanyDrawer company={opened} close={() => set({ company: 0, page: filters.page })} />
      )}
    </Page>
  );
}

const NoCompanies = ({ isFiltered }: { isFiltered: boolean }) => (
  <EmptyState
    icon={<IconBuilding size={28} stroke={1.5} />}
    title={isFiltered ? t('No companies match') : t('No companies yet')}
  >
    {t('Companies appear here when people sign up.')}
  </EmptyState>
);

const CompanyFilters = ({ filters, set, clear }: Filtering) => (
  <FilterBar isFiltered={Boolean(filters.search || filters.status)} onClear={clear}>
    <SearchField
      label={t('Search name or ID')}
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
      data={statuses.map((value) => ({ value, label: statusLooks[value][0]() }))}
      onChange={(status) => set({ status: status ?? '' })}
    />
  </FilterBar>
);

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
