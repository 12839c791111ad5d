import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconTemplate } from '@tabler/icons-react';
import { templates } from '#contract';
import { confirm, DataList, lazyComponent, Page, t, usePermission, useApiMutation } from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { NumbersTabs } from '../NumbersTabs.tsx';
import { deleteColumn, templateColumns } from '../list/template-columns.tsx';

const TemplateForm = lazyComponent(
  async () => (await import('../../routing/TemplateForm.tsx')).TemplateForm,
);

type Template = templates.NumberTemplate;
const defaultFilters = { search: '', page: 1, sort: 'name', dir: 'asc', open: '' };

/** A page of templates, with filters that are kept in the URL, as is the opened template. */
const useTemplateList = () =>
  useListScreen(templates.listNumberTemplates, {
    key: 'templates',
    perPage: 25,
    filters: defaultFilters,
    opens: ['open'],
    input: ({ page, sort, dir, search }, perPage) => ({
      query: { page, perPage, sort, dir, search: search || null },
    }),
  });

/** Templates of settings and routes that can be applied to numbers. */
export default function NumbersTemplates() {
  const templateList = useTemplateList();
  const { filters, set, response } = templateList;
  const mayEdit = usePermission('routing.edit');
  const [adding, setAdding] = useState(false);
  const opened = response?.data.find((one) => String(one.id) === filters.open);
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
          <ListFilters list={templateList} label={t('Search templates')} />
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
  templateList,
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
      {...templateList.list}
      rowKey={(one) => one.id}
      rowLabel={(one) => one.name}
      onOpen={(one) => templateList.set({ open: String(one.id) })}
      columns={columns}
      columnPresets="templates"
      empty={
        <ListEmpty
          list={templateList}
          icon={IconTemplate}
          noMatch={t('No templates match')}
          title={t('No templates yet')}
          action={add}
        >
          {t('Set up a type of number once and apply it to as many as you like.')}
        </ListEmpty>
      }
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
