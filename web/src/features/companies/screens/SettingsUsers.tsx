import { Select } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { companies, companyRoles, roleList } from '#contract';
import { entityOf } from '#contract/fields/rules';
import {
  type Column,
  DataList,
  EmptyState,
  FilterBar,
  formatPhoneNumber,
  lazyComponent,
  PersonAvatar,
  SearchField,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useFilters,
  usePageSize,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { useFieldColumns } from '../../fields/index.ts';
import { InviteButton } from '../invitations/InviteButton.tsx';
import css from './SettingsUsers.module.css';
import type { Answer } from '#contract';

const PersonDrawer = lazyComponent(
  async () => (await import('../people/UserDrawer.tsx')).UserDrawer,
);

type UserRow = Answer<typeof companies.listCompanyUsers>['data'][number];
const defaultFilters = { search: '', role: '', status: '', page: 1, open: '' };
const roleLabel = (role: string): string => t(roleList.find((r) => r.id === role)?.label ?? role);

/** The company's users and their roles. */
export default function SettingsUsers() {
  const { filters, set, clear } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('users', 25, () => set({ page: 1 }));
  const isFiltered = Boolean(filters.search || filters.role || filters.status);
  const { response, error, loading, refetch } = useApiQuery(companies.listCompanyUsers, {
    query: {
      page: filters.page,
      perPage,
      search: filters.search || null,
      role: filters.role || null,
      status: filters.status || null,
    },
  });
  const custom = useFieldColumns<UserRow>(entityOf.user, (u) => u.eavAttributeValues);
  const opened = Number(filters.open) || 0;
  const shown = response?.data.find((u) => u.id === opened);
  return (
    <SettingsFrame
      title={t('Users')}
      layout="fill"
      description={t('People in this company, and what they can see.')}
      action={<InviteButton />}
      filters={<UserFilters filters={filters} set={set} clear={clear} isFiltered={isFiltered} />}
    >
      <DataList
        label={t('Users')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(u) => u.id}
        rowLabel={nameOf}
        columns={[...columns, ...custom]}
        columnPresets="users"
        comfortable
        onOpen={(u) => set({ open: String(u.id), page: filters.page })}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={<EmptyUsers isFiltered={isFiltered} />}
      />
      {opened > 0 && (
        <PersonDrawer
          id={opened}
          name={shown ? nameOf(shown) : t('User')}
          close={() => set({ open: '', page: filters.page })}
        />
      )}
    </SettingsFrame>
  );
}

type UserFilterValues = Pick<typeof defaultFilters, 'search' | 'role' | 'status'>;

function UserFilters({
  filters,
  set,
  clear,
  isFiltered,
}: {
  filters: UserFilterValues;
  set: (change: Partial<UserFilterValues>) => void;
  clear: () => void;
  isFiltered: boolean;
}) {
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <SearchField
        label={t('Search by name or email')}
        value={filters.search}
        onChange={(search) => set({ search })}
      />
      <Select
        aria-label={t('Role')}
        placeholder={t('Any role')}
        w={160}
        clearable
        clearButtonProps={{ 'aria-label': t('Any role') }}
        data={companyRoles.map((r) => ({ value: r, label: roleLabel(r) }))}
        value={filters.role || null}
        onChange={(role) => set({ role: role ?? '' })}
      />
      <Select
        aria-label={t('Status')}
        placeholder={t('Any status')}
        w={150}
        clearable
        clearButtonProps={{ 'aria-label': t('Any status') }}
        data={[
          { value: 'active', label: t('Active') },
          { value: 'inactive', label: t('Inactive') },
        ]}
        value={filters.status || null}
        onChange={(status) => set({ status: status ?? '' })}
      />
    </FilterBar>
  );
}

function EmptyUsers({ isFiltered }: { isFiltered: boolean }) {
  const icon = <IconUsers size={28} stroke={1.5} />;
  return isFiltered ? (
    <EmptyState icon={icon} title={t('No users match these filters')}>
      {t('Try another name or clear the filters.')}
    </EmptyState>
  ) : (
    <EmptyState icon={icon} title={t('No users yet')}>
      {t('People who join this company appear here.')}
    </EmptyState>
  );
}

const nameOf = (u: UserRow): string => `${u.first_name} ${u.last_name}`.trim() || u.email;
const columns: Column<UserRow>[] = [
  {
    key: 'name',
    title: t('Name'),
    width: 'minmax(180px, 1.6fr)',
    cell: (u) => (
      <span className={css.person}>
        <PersonAvatar name={nameOf(u)} size={28} />
        <span className={css.names}>
          <span>{nameOf(u)}</span>
          <small>{u.email}</small>
        </span>
      </span>
    ),
  },
  { key: 'role', title: t('Role'), width: '140px', cell: (u) => roleLabel(u.role) },
  {
    key: 'status',
    title: t('Status'),
    width: '110px',
    wideOnly: true,
    cell: (u) =>
      u.status === 'active' ? (
        <StatusBadge tone="success">{t('Active')}</StatusBadge>
      ) : u.status === 'invited' ? (
        <StatusBadge tone="info">{t('Invited')}</StatusBadge>
      ) : (
        <StatusBadge>{t('Inactive')}</StatusBadge>
      ),
  },
  {
    key: 'numbers',
    title: t('Numbers'),
    wideOnly: true,
    cell: (u) =>
      (u.all_numbers ?? u.numbers.length === 0) ? (
        <span className={css.quiet}>{t('All numbers')}</span>
      ) : (
        u.numbers.map((n) => formatPhoneNumber(n.number)).join(', ')
      ),
  },
  {
    key: 'seen',
    title: t('Last signed in'),
    width: '130px',
    wideOnly: true,
    cell: (u) =>
      u.last_login_at ? (
        <Time at={u.last_login_at} as="ago" />
      ) : (
        <span className={css.quiet}>{t('Never')}</span>
      ),
  },
];
