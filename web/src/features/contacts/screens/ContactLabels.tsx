import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { groups } from '#contract';
import { confirm, DataList, Page, t, useApiMutation, useCompanyId, usePermission } from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { ContactsTabs } from '../ContactsTabs.tsx';
import { labelColumns } from '../label-columns.tsx';
import { LabelDialog } from '../LabelDialog.tsx';

type Label = groups.ContactLabel;
const defaultFilters = { search: '', page: 1, sort: 'label', dir: 'asc' };

/** The company's contact labels. */
export default function ContactLabels() {
  const labels = useLabelList();
  const mayEdit = usePermission('contacts.edit');
  const [editing, setEditing] = useState<Label | 'new' | null>(null);
  const remove = useDeleteLabel();
  const add = mayEdit ? (
    <Button onClick={() => setEditing('new')}>{t('Add label')}</Button>
  ) : undefined;
  return (
    <Page
      title={t('Contact labels')}
      layout="fill"
      action={add}
      filters={
        <>
          <ContactsTabs />
          <ListFilters list={labels} maxLength={60} label={t('Search labels')} />
        </>
      }
    >
      <DataList
        {...labels.list}
        label={t('Labels')}
        rowKey={(l) => l.id}
        rowLabel={(l) => l.label}
        href={(l) => `/contacts?labelId=${l.id}`}
        columns={labelColumns(
          mayEdit ? { onRename: setEditing, onDelete: (l) => void remove(l) } : null,
        )}
        empty={
          <ListEmpty
            list={labels}
            icon={IconTag}
            noMatch={t('No labels match')}
            title={t('No labels yet')}
            action={add}
          >
            {t(
              'A label is a short word such as VIP. Add it to contacts to find them again, or let a keyword add it.',
            )}
          </ListEmpty>
        }
      />
      {editing && (
        <LabelDialog label={editing === 'new' ? null : editing} close={() => setEditing(null)} />
      )}
    </Page>
  );
}

/** The labels that match the filters in the URL. */
const useLabelList = () =>
  useListScreen(groups.listContactLabels, {
    key: 'labels',
    perPage: 50,
    filters: defaultFilters,
    input: ({ page, sort, dir, search }, perPage) => ({
      query: { search: search || null, sort, dir, page, perPage },
    }),
  });

/** Deletes a label, after a confirmation. */
function useDeleteLabel(): (label: Label) => Promise<void> {
  const companyId = useCompanyId() ?? 0;
  const { mutate } = useApiMutation(groups.deleteContactLabel, {
    invalidates: [groups.listContactLabels],
    success: t('Label deleted'),
  });
  return async (label) => {
    const confirmed = await confirm({
      title: t('Delete label {label}?', { label: label.label }),
      body: label.contactCount
        ? t(
            'It’s removed from {n, plural, one {# contact} other {# contacts}}. The contacts stay.',
            {
              n: label.contactCount,
            },
          )
        : t('No contacts use it.'),
      confirmLabel: t('Delete label'),
      danger: true,
    });
    if (confirmed) void mutate({ params: { companyId, labelId: label.id } });
  };
}
