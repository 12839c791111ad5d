import { useState } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import { IconTemplate, IconTrash } from '@tabler/icons-react';
import { templates } from '#contract';
import {
  type Column,
  confirm,
  DataList,
  EmptyState,
  FilterBar,
  lazyComponent,
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
import { NumbersTabs } from '../NumbersTabs.tsx';
import { routingName } from '../labels.ts';

const TemplateForm = lazyComponent(
  async () => (await import('../../routing/TemplateForm.tsx')).TemplateForm,
);

type Template = templates.NumberTemplate;
const defaultFilters = { search: '', page: 1, sort: 'name', dir: 'asc', open: '' };
const perPage = 25;

/** Templates of settings and routes that can be applied to numbers. */
export default function NumbersTemplates() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const mayEdit = usePermission('routing.edit');
  const [adding, setAdding] = useState(false);
  const { response, error, loading, refetch } = useApiQuery(templates.listNumberTemplates, {
    query: {
      page: filters.page,
      perPage,
      sort: filters.sort,
      dir: filters.dir as 'asc',
      search: filters.search || null,
    },
  });
  const opened = response?.data.find((one) => String(one.id) === filters.open);
  const { mutate: remove, isPending } = useApiMutation(templates.deleteNumberTemplate, {
    invalidates: [templates.listNumberTemplates],
    success: t('Template deleted'),
  });
  const drop = async (one: Template): Promise<void> => {
    if (
      await confirm({
        title: t('Delete {name}?', { name: one.name }),
        body: t('Numbers keep their settings.'),
        confirmLabel: t('Delete'),
        danger: true,
      })
    )
      await remove({ params: { id: one.id } });
  };
  const columns: Column<Template>[] = [
    {
      key: 'name',
      title: t('Name'),
      width: 'minmax(150px, 1.2fr)',
      sortable: true,
      cell: (one) => (
        <span>
          {one.name} {one.is_default && <StatusBadge tone="accent">{t('Default')}</StatusBadge>}
        </span>
      ),
    },
    {
      key: 'description',
      title: t('What it is for'),
      width: 'minmax(120px, 1.6fr)',
      wideOnly: true,
      cell: (one) => one.description,
    },
    {
      key: 'routes',
      title: t('Routing'),
      width: 'minmax(110px, 1fr)',
      wideOnly: true,
      cell: (one) => {
        const routes = Object.values(one.routes).sort((a, b) => a.extension - b.extension);
        return routes.length === 0
          ? t('Unchanged')
          : routes.length === 1
            ? routingName(routes[0]!.type)
            : t('{n, plural, one {# extension} other {# extensions}}', { n: routes.length });
      },
    },
    {
      key: 'record',
      title: t('Recording'),
      width: '130px',
      wideOnly: true,
      cell: (one) => (one.ai_eav_enabled ? t('On, AI fields') : one.record ? t('On') : t('Off')),
    },
    {
      key: 'usage_count',
      title: t('Used by'),
      width: '120px',
      sortable: true,
      cell: (one) =>
        one.usage_count === 0
          ? t('Unused')
          : t('{n, plural, one {# number} other {# numbers}}', { n: one.usage_count }),
    },
    {
      key: 'updatedAt',
      title: t('Changed'),
      width: '110px',
      sortable: true,
      wideOnly: true,
      cell: (one) => <Time at={one.updatedAt} as="ago" />,
    },
    ...(mayEdit
      ? [
          {
            key: 'do',
            title: '',
            width: '40px',
            align: 'end' as const,
            cell: (one: Template) => (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={28}
                disabled={isPending}
                aria-label={t('Delete {name}', { name: one.name })}
                title={t('Delete')}
                onClick={() => void drop(one)}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            ),
          },
        ]
      : []),
  ];
  const add = mayEdit && <Button onClick={() => setAdding(true)}>{t('Add template')}</Button>;
  return (
    <Page
      title={t('Templates')}
      layout="fill"
      description={t(
        'Settings and routes to apply to numbers, when you buy them or in bulk. Numbers get a copy.',
      )}
      action={add}
      filters={
        <>
          <NumbersTabs />
          <FilterBar isFiltered={isFiltered} onClear={clear}>
            <SearchField
              label={t('Search templates')}
              value={filters.search}
              onChange={(search) => set({ search, page: 1 })}
            />
          </FilterBar>
        </>
      }
    >
      <DataList
        label={t('Templates')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(one) => one.id}
        rowLabel={(one) => one.name}
        onOpen={(one) => set({ open: String(one.id) })}
        columns={columns}
        columnPresets="templates"
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
              icon={<IconTemplate size={28} stroke={1.5} />}
              title={t('No templates match')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('Clear filters')}
                </Button>
              }
            >
              {t('Try another word or clear the search.')}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<IconTemplate size={28} stroke={1.5} />}
              title={t('No templates yet')}
              action={add}
            >
              {t('Set up a type of number once and apply it to as many as you like.')}
            </EmptyState>
          )
        }
      />
      {(adding || opened) && (
        <TemplateForm
          key={opened?.id ?? 'new'}
          template={adding ? null : (opened ?? null)}
          close={() => {
            setAdding(false);
            set({ open: '' });
          }}
        />
      )}
    </Page>
  );
}
