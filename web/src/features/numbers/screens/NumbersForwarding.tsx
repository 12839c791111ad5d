import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconPhoneOutgoing } from '@tabler/icons-react';
import { forwarding } from '#contract';
import {
  type Column,
  DataList,
  EmptyState,
  FilterBar,
  formatNumber,
  formatPhoneNumber,
  lazyComponent,
  Page,
  SearchField,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useFilters,
  usePermission,
} from '#ui';
import { ContactForm } from '../forwarding/ContactForm.tsx';
import { NumbersTabs } from '../NumbersTabs.tsx';
import css from '../list/StatsStrip.module.css';

const ReplaceDialog = lazyComponent(
  async () => (await import('../forwarding/ReplaceDialog.tsx')).ReplaceDialog,
);

type Contact = forwarding.ForwardContact;
const defaultFilters = {
  search: '',
  type: '',
  state: '',
  page: 1,
  sort: 'name',
  dir: 'asc',
  open: '',
};
const perPage = 25;

/** Forwarding numbers: destinations that many routes can share. */
export default function NumbersForwarding() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const mayEdit = usePermission('routing.edit');
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Contact | null>(null);
  const { response, error, loading, refetch } = useApiQuery(forwarding.listForwardContacts, {
    query: {
      page: filters.page,
      perPage,
      sort: filters.sort,
      dir: filters.dir as 'asc',
      search: filters.search || null,
      type: filters.type || null,
      state: filters.state || null,
    },
  });
  const stats = useApiQuery(forwarding.forwardContactStats, {}, { silent: true }).response?.data;
  const opened = useApiQuery(
    forwarding.getForwardContact,
    { params: { id: Number(filters.open) || 0 } },
    { enabled: filters.open !== '', silent: true },
  ).response?.data;
  const columns: Column<Contact>[] = [
    {
      key: 'name',
      title: t('Name'),
      width: 'minmax(96px, 1.4fr)',
      sortable: true,
      cell: (c) => c.name,
    },
    {
      key: 'number',
      title: t('Destination'),
      width: 'minmax(116px, 1.2fr)',
      sortable: true,
      cell: (c) =>
        c.type === 'user'
          ? t('{name}, in the app', { name: c.user?.name ?? t('Someone') })
          : `${c.number?.startsWith('+') ? formatPhoneNumber(c.number) : (c.number ?? '')}${c.extension ? ` ${t('ext.')} ${c.extension}` : ''}`,
    },
    {
      key: 'used_by_count',
      title: t('Used by'),
      width: '110px',
      sortable: true,
      wideOnly: true,
      cell: (c) =>
        c.used_by_count === 0
          ? t('Unused')
          : t('{n, plural, one {# route} other {# routes}}', { n: c.used_by_count }),
    },
    {
      key: 'answer_rate_30d',
      title: t('Answered'),
      width: 'minmax(108px, 150px)',
      sortable: true,
      cell: (c) =>
        c.answer_rate_30d === null ? (
          t('No calls')
        ) : c.is_failing ? (
          <StatusBadge tone="danger">
            {t('Failing, {rate}%', { rate: Math.round(c.answer_rate_30d * 100) })}
          </StatusBadge>
        ) : (
          t('{rate}% of {n}', {
            rate: Math.round(c.answer_rate_30d * 100),
            n: formatNumber(c.attempts_30d),
          })
        ),
    },
    {
      key: 'last_answered_at',
      title: t('Last answered'),
      width: '120px',
      sortable: true,
      wideOnly: true,
      cell: (c) => (c.last_answered_at ? <Time at={c.last_answered_at} as="ago" /> : t('Never')),
    },
    {
      key: 'tags',
      title: t('Tags'),
      width: 'minmax(72px, 1fr)',
      wideOnly: true,
      cell: (c) => c.tags.map((tag) => tag.name).join(', '),
    },
  ];
  const add = mayEdit && (
    <Button onClick={() => setAdding(true)}>{t('Add forwarding number')}</Button>
  );
  const figures = [
    ['', t('All'), stats?.total],
    ['unused', t('Unused'), stats?.unused],
    ['failing', t('Failing'), stats?.failing],
  ] as const;
  return (
    <Page
      title={t('Forwarding')}
      layout="fill"
      description={t(
        'Where calls are forwarded. Change one here and every route that uses it follows with the next call.',
      )}
      action={add}
      filters={
        <>
          <NumbersTabs />
          <FilterBar isFiltered={isFiltered} onClear={clear}>
            <SearchField
              label={t('Search forwarding numbers')}
              placeholder={t('Name, number or note')}
              value={filters.search}
              onChange={(search) => set({ search, page: 1 })}
            />
            <Select
              aria-label={t('Type')}
              placeholder={t('Any type')}
              w={150}
              clearable
              clearButtonProps={{ 'aria-label': t('Any type') }}
              data={[
                { value: 'phone', label: t('Phone number') },
                { value: 'sip', label: t('SIP address') },
                { value: 'user', label: t('Person') },
              ]}
              value={filters.type || null}
              onChange={(type) => set({ type: type ?? '', page: 1 })}
            />
          </FilterBar>
        </>
      }
    >
      <ul className={css.strip} aria-label={t('Forwarding numbers summary')}>
        {figures.map(([state, label, n]) => (
          <li key={label}>
            <button
              type="button"
              className={css.figure}
              aria-pressed={filters.state === state}
              onClick={() => set({ state, page: 1 })}
            >
              <span className={css.count} data-numeric>
                {n === undefined ? '–' : formatNumber(n)}
              </span>
              <span className={css.label}>{label}</span>
            </button>
          </li>
        ))}
      </ul>
      <DataList
        label={t('Forwarding numbers')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(c) => c.id}
        rowLabel={(c) => c.name}
        onOpen={(c) => set({ open: String(c.id) })}
        columns={columns}
        sort={{ field: filters.sort, dir: filters.dir as 'asc' }}
        onSort={(sort) => set({ sort: sort.field, dir: sort.dir })}
        paging={{
          page: filters.page,
          perPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<IconPhoneOutgoing size={28} stroke={1.5} />}
              title={t('No forwarding numbers match')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('Clear filters')}
                </Button>
              }
            >
              {t('Try another search or clear the filters.')}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<IconPhoneOutgoing size={28} stroke={1.5} />}
              title={t('No forwarding numbers yet')}
              action={add}
            >
              {t('Add a desk phone or a branch once and use it in as many routes as you like.')}
            </EmptyState>
          )
        }
      />
      {(adding || opened) && !deleting && (
        <ContactForm
          key={opened?.id ?? 'new'}
          contact={adding ? null : (opened ?? null)}
          close={() => {
            setAdding(false);
            set({ open: '' });
          }}
          onDelete={setDeleting}
        />
      )}
      {deleting && (
        <ReplaceDialog
          contact={deleting}
          close={() => {
            setDeleting(null);
            set({ open: '' });
          }}
        />
      )}
    </Page>
  );
}
