import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconTemplate } from '@tabler/icons-react';
import { templates } from '#contract';
import {
  confirm,
  DataList,
  EmptyState,
  FilterBar,
  lazyComponent,
  Page,
  SearchField,
  t,
  useApiQuery,
  useFilters,
  usePageSize,
  usePermission,
  useApiMutation,
} from '#ui';
import { pagedList } from '../../../shared/paged-list.ts';
import { NumbersTabs } from '../NumbersTabs.tsx';
import { deleteColumn, templateColumns } from '../list/template-columns.tsx';

const TemplateForm = lazyComponent(
  async () => (await import('../../routing/TemplateForm.tsx')).TemplateForm,
);

type Template = templates.NumberTemplate;
const defaultFilters = { search: '', page: 1, sort: 'name', dir: 'asc', open: '' };

/** A page of templates, with filters that are kept in the URL, as is the opened template. */
function useTemplateList() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const pageSize = usePageSize('templates', 25, () => set({ page: 1 }));
  const list = useApiQuery(templates.listNumberTemplates, {
    query: {
      page: filters.page,
      perPage: pageSize.perPage,
      sort: filters.sort,
      dir: filters.dir,
      search: filters.search || null,
    },
  });
  return { filters, set, clear, isFiltered, pageSize, list };
}

/** Templates of settings and routes that can be applied to numbers. */
export default function NumbersTemplates() {
  const templateList = useTemplateList();
  const { filters, set, clear, isFiltered, list } = templateList;
  const mayEdit = usePermission('routing.edit');
  const [adding, setAdding] = useState(false);
  const opened = list.response?.data.find((one) => String(one.id) === filters.open);
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
      <TemplateRows templateList={templateList} mayEdit={mayEdit} add={add} />
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

function TemplateRows({
  templateList: { filters, set, clear, isFiltered, pageSize, list },
  mayEdit,
  add,
}: {
  templateList: ReturnType<typeof useTemplateList>;
  mayEdit: boolean;
  add: React.ReactNode;
}) {
  const { mutate: remove, isPending } = useApiMutation(templates.deleteNumberTemplate, {
    invalidates: [templates.listNumberTemplates],
    success: t('Template deleted'),
  });
  const drop = async (one: Template): Promise<void> => {
    if (await confirmDelete(one)) await remove({ params: { id: one.id } });
  };
  const columns = templateColumns();
  if (mayEdit) columns.push(deleteColumn(isPending, (one) => void drop(one)));
  return (
    <DataList
      label={t('Templates')}
      {...pagedList(list, { filters, set }, pageSize)}
      rowKey={(one) => one.id}
      rowLabel={(one) => one.name}
      onOpen={(one) => set({ open: String(one.id) })}
      columns={columns}
      columnPresets="templates"
      empty={<NoTemplates isFiltered={isFiltered} onClear={clear} add={add} />}
    />
  );
}

const confirmDelete = (one: Template): Promise<boolean> =>
  confirm({
    title: t('Delete {name}?', { name: one.name }),
    body: t('Numbers keep their settings.'),
    confirmLabel: t('Delete'),
    danger: true,
  });

function NoTemplates({
  isFiltered,
  onClear,
  add,
}: {
  isFiltered: boolean;
  onClear: () => void;
  add: React.ReactNode;
}) {
  if (isFiltered)
    return (
      <EmptyState
        icon={<IconTemplate size={28} stroke={1.5} />}
        title={t('No templates match')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('Clear filters')}
          </Button>
        }
      >
        {t('Try another word or clear the search.')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<IconTemplate size={28} stroke={1.5} />}
      title={t('No templates yet')}
      action={add}
    >
      {t('Set up a type of number once and apply it to as many as you like.')}
    </EmptyState>
  );
}
