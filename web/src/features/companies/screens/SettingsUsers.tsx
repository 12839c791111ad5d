import { useEffect, useState } from 'react';
import { Select } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { companies, companyRoles, roleList } from '#contract';
import { entityOf } from '#contract/fields/rules';
import {
  type Column,
  DataList,
  formatPhoneNumber,
  lazyComponent,
  PersonAvatar,
  StatusBadge,
  t,
  Time,
  usePermission,
} from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { useFieldColumns } from '../../fields/index.ts';
import { InviteButton } from '../invitations/InviteButton.tsx';
import { UserBulkBar } from '../people/bulk/UserBulkBar.tsx';
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
  const users = useListScreen(companies.listCompanyUsers, {
    key: 'users',
    perPage: 25,
    filters: defaultFilters,
    opens: ['open'],
    input: ({ page, search, role, status }, perPage) => ({
      query: { page, perPage, search: search || null, role: role || null, status: status || null },
    }),
  });
  const { filters, set, response } = users;
  const custom = useFieldColumns<UserRow>(entityOf.user, (u) => u.eavAttributeValues);
  const mayEdit = usePermission('users.edit');
  const { selected, setSelected, chosen } = useSelection(filters, response?.data ?? []);
  const opened = Number(filters.open) || 0;
  const shown = response?.data.find((u) => u.id === opened);
  return (
    <SettingsFrame
      title={t('Users')}
      layout="fill"
      description={t('People in this company, and what they can see.')}
      action={<InviteButton />}
      filters={<UserFilters {...users} />}
    >
      {mayEdit && <UserBulkBar users={chosen} clear={() => setSelected(new Set())} />}
      <DataList
        label={t('Users')}
        {...users.list}
        {...(mayEdit && { selected, onSelect: setSelected })}
        rowKey={(u) => u.id}
        rowLabel={nameOf}
        columns={[...columns, ...custom]}
        columnPresets="users"
        comfortable
        onOpen={(u) => set({ open: String(u.id), page: filters.page })}
        empty={
          <ListEmpty
            list={users}
            icon={IconUsers}
            noMatch={t('No users match these filters')}
            title={t('No users yet')}
          >
            {t('People who join this company appear here.')}
          </ListEmpty>
        }
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

/** The selected people of this page. A selection made under other filters no longer applies. */
function useSelection(filters: typeof defaultFilters, rows: readonly UserRow[]) {
  const [selected, setSelected] = useState<Set<string | number>>(new Set());
  const { search, role, status, page } = filters;
  useEffect(() => setSelected(new Set()), [search, role, status, page]);
  return { selected, setSelected, chosen: rows.filter((one) => selected.has(one.id)) };
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
    <ListFilters list={{ filters, set, clear, isFiltered }} label={t('Search by name or email')}>
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
    </ListFilters>
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
  { key: 'role', title: t('Role'), width: '120px', cell: (u) => roleLabel(u.role) },
  {
    key: 'status',
    title: t('Status'),
    width: '100px',
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
    key: 'teams',
    title: t('Teams'),
    wideOnly: true,
    cell: (u) => (u.teams ?? []).map(({ name }) => name).join(', '),
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
    width: '112px',
    wideOnly: true,
    cell: (u) =>
      u.last_login_at ? (
        <Time at={u.last_login_at} as="ago" />
      ) : (
        <span className={css.quiet}>{t('Never')}</span>
      ),
  },
];
