import { useState } from 'react';
import { ActionIcon, Button, Menu, Select, Skeleton } from '@mantine/core';
import { IconDots, IconEdit, IconMapPin, IconMicrophone, IconTrash } from '@tabler/icons-react';
import { greetings } from '#contract';
import {
  type Column,
  confirm,
  DataList,
  EmptyState,
  FilterBar,
  lazyComponent,
  Modal,
  Page,
  SearchField,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useFilters,
  usePermission,
  useApiMutation,
} from '#ui';
import { AudioClip } from '#ui/components/AudioClip.tsx';
import { NumbersTabs, sourceName, typeName, typeOptions } from '../../numbers/index.ts';
import css from '../Greetings.module.css';

const GreetingDialog = lazyComponent(
  async () => (await import('../GreetingDialog.tsx')).GreetingDialog,
);

type Greeting = greetings.Greeting;
const defaultFilters = { search: '', type: '', page: 1, sort: 'created_at', dir: 'desc' };
const perPage = 25;

/** The company's greetings: list, search, add, edit and delete. */
export default function NumbersGreetings() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const mayEdit = usePermission('routing.edit');
  const [editing, setEditing] = useState<Greeting | 'new' | null>(null);
  const [usesOf, setUsesOf] = useState<Greeting | null>(null);
  const { response, error, loading, refetch } = useApiQuery(greetings.listGreetings, {
    query: {
      page: filters.page,
      perPage,
      sort: filters.sort,
      dir: filters.dir,
      search: filters.search || null,
      type: filters.type || null,
    },
  });
  const { mutate: remove } = useApiMutation(greetings.deleteGreeting, {
    success: t(greetings.greetingSaid.deleted),
    invalidates: [greetings.listGreetings],
  });
  const ask = async (one: Greeting): Promise<void> => {
    // A greeting in use can't be deleted: show where it is used instead of asking for confirmation.
    if (one.used_by_count > 0) return setUsesOf(one);
    if (
      await confirm({
        title: t('Delete “{name}”?', { name: one.name }),
        body: t('Nothing uses it. The audio is permanently deleted.'),
        confirmLabel: t('Delete'),
        danger: true,
      })
    )
      void remove({ params: { id: one.id } });
  };
  const columns: Column<Greeting>[] = [
    {
      key: 'name',
      title: t('Name'),
      width: 'minmax(120px, 1.8fr)',
      sortable: true,
      cell: (g) => (
        <span className={css.name}>
          <span>{g.name}</span>
          {g.content && <small>{g.content}</small>}
        </span>
      ),
    },
    {
      key: 'listen',
      title: t('Listen'),
      width: 'minmax(84px, 1fr)',
      cell: (g) => (
        <AudioClip
          key={g.file_url}
          url={g.file_url}
          seconds={g.duration_ms / 1000}
          label={g.name}
          small
        />
      ),
    },
    {
      key: 'type',
      title: t('Used for'),
      width: '150px',
      sortable: true,
      wideOnly: true,
      cell: (g) => typeName(g.type),
    },
    {
      key: 'source',
      title: t('Created'),
      width: '100px',
      wideOnly: true,
      cell: (g) => sourceName(g.source),
    },
    {
      key: 'default',
      title: t('Default'),
      width: '100px',
      wideOnly: true,
      cell: (g) => (g.is_default ? <StatusBadge tone="info">{t('Default')}</StatusBadge> : null),
    },
    {
      key: 'used',
      title: t('Usage'),
      width: '110px',
      wideOnly: true,
      cell: (g) =>
        g.used_by_count === 0 ? (
          '–'
        ) : (
          <Button size="compact-xs" variant="subtle" onClick={() => setUsesOf(g)}>
            {t('{n, plural, one {# place} other {# places}}', { n: g.used_by_count })}
          </Button>
        ),
    },
    {
      key: 'created_at',
      title: t('Added'),
      width: '90px',
      sortable: true,
      wideOnly: true,
      cell: (g) => <Time at={g.created_at} />,
    },
    {
      key: 'do',
      title: '',
      width: '48px',
      align: 'end',
      cell: (g) => (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={t('Options for {name}', { name: g.name })}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconMapPin size={16} aria-hidden />}
              onClick={() => setUsesOf(g)}
            >
              {t('Where it’s used')}
            </Menu.Item>
            {mayEdit && (
              <Menu.Item
                leftSection={<IconEdit size={16} aria-hidden />}
                onClick={() => setEditing(g)}
              >
                {t('Edit')}
              </Menu.Item>
            )}
            {mayEdit && (
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => void ask(g)}
              >
                {t('Delete')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      ),
    },
  ];
  const add = mayEdit && <Button onClick={() => setEditing('new')}>{t('Add greeting')}</Button>;
  return (
    <Page
      title={t('Greetings')}
      layout="fill"
      description={t(
        'What callers hear. Choose greetings in a number’s settings, menu and routes.',
      )}
      action={add}
      filters={
        <>
          <NumbersTabs />
          <FilterBar isFiltered={isFiltered} onClear={clear}>
            <SearchField
              maxLength={80}
              label={t('Search greetings')}
              placeholder={t('Name or words')}
              value={filters.search}
              onChange={(search) => set({ search })}
            />
            <Select
              aria-label={t('Used for')}
              placeholder={t('Any usage')}
              w={170}
              clearable
              clearButtonProps={{ 'aria-label': t('Any usage') }}
              data={typeOptions()}
              value={filters.type || null}
              onChange={(type) => set({ type: type ?? '' })}
            />
          </FilterBar>
        </>
      }
    >
      <DataList
        label={t('Greetings')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(g) => g.id}
        rowLabel={(g) => g.name}
        columns={columns}
        comfortable
        sort={{ field: filters.sort, dir: filters.dir as 'asc' | 'desc' }}
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
              icon={<IconMicrophone size={28} stroke={1.5} />}
              title={t('No greetings match')}
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
              icon={<IconMicrophone size={28} stroke={1.5} />}
              title={t('No greetings yet')}
              action={add}
            >
              {t(
                'Write what callers should hear and have it read aloud, upload a file, or record it here.',
              )}
            </EmptyState>
          )
        }
      />
      {editing !== null && (
        <GreetingDialog
          greeting={editing === 'new' ? null : editing}
          close={() => setEditing(null)}
        />
      )}
      {usesOf !== null && <UsesDialog greeting={usesOf} close={() => setUsesOf(null)} />}
    </Page>
  );
}

function UsesDialog({ greeting, close }: { greeting: Greeting; close: () => void }) {
  const { response } = useApiQuery(greetings.getGreeting, {
    params: { id: greeting.id },
  });
  const places = response?.data.used_by;
  return (
    <Modal
      opened
      onClose={close}
      title={t('Where “{name}” is used', { name: greeting.name })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {!places && <Skeleton height={60} />}
      {places?.length === 0 && (
        <p className={css.quiet}>
          {greeting.is_default
            ? t('Nothing uses it directly. As the default, it plays wherever none is chosen.')
            : t('Nothing uses it.')}
        </p>
      )}
      {places && places.length > 0 && (
        <>
          <ul className={css.uses}>
            {places.map((one) => (
              <li key={`${one.kind}-${one.id}-${one.as}`}>
                <a
                  href={`/numbers/${one.number_id}${one.as === 'voicemail' ? '?tab=voicemail' : one.kind === 'number' ? '?tab=settings' : ''}`}
                >
                  {one.label}
                </a>{' '}
                · {one.as}
              </li>
            ))}
          </ul>
          <p className={css.quiet}>
            {t('To delete it, choose another greeting in these places first.')}
          </p>
        </>
      )}
    </Modal>
  );
}
