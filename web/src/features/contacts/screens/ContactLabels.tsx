import { useState } from 'react';
import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPencil, IconTag, IconTrash } from '@tabler/icons-react';
import { groups } from '#contract';
import {
  bindFieldErrors,
  confirm,
  DataList,
  EmptyState,
  FilterBar,
  formatNumber,
  Modal,
  Page,
  SearchField,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePageSize,
  usePermission,
  useApiMutation,
} from '#ui';
import { ContactsTabs } from '../ContactsTabs.tsx';

type Label = groups.ContactLabel;
const defaultFilters = { search: '', page: 1, sort: 'label', dir: 'asc' };

/** The company's contact labels. */
export default function ContactLabels() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('labels', 50, () => set({ page: 1 }));
  const companyId = useCompanyId() ?? 0;
  const { response, error, loading, refetch } = useApiQuery(groups.listContactLabels, {
    query: {
      search: filters.search || null,
      sort: filters.sort,
      dir: filters.dir,
      page: filters.page,
      perPage,
    },
  });
  const may = usePermission('contacts.edit');
  const [editing, setEditing] = useState<Label | 'new' | null>(null);
  const { mutate: remove } = useApiMutation(groups.deleteContactLabel, {
    invalidates: [groups.listContactLabels],
    success: t('Label deleted'),
  });
  const sure = async (l: Label): Promise<void> => {
    if (
      await confirm({
        title: t('Delete label {label}?', { label: l.label }),
        body: l.contactCount
          ? t(
              'It’s removed from {n, plural, one {# contact} other {# contacts}}. The contacts stay.',
              {
                n: l.contactCount,
              },
            )
          : t('No contacts use it.'),
        confirmLabel: t('Delete label'),
        danger: true,
      })
    )
      void remove({ params: { companyId, labelId: l.id } });
  };
  const add = may && <Button onClick={() => setEditing('new')}>{t('Add label')}</Button>;
  return (
    <Page
      title={t('Contact labels')}
      layout="fill"
      action={add || undefined}
      filters={
        <>
          <ContactsTabs />
          <FilterBar isFiltered={isFiltered} onClear={clear}>
            <SearchField
              maxLength={60}
              label={t('Search labels')}
              value={filters.search}
              onChange={(search) => set({ search })}
            />
          </FilterBar>
        </>
      }
    >
      <DataList
        label={t('Labels')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(l) => l.id}
        rowLabel={(l) => l.label}
        href={(l) => `/contacts?labelId=${l.id}`}
        columns={[
          {
            key: 'label',
            title: t('Label'),
            sortable: true,
            width: 'minmax(120px, 2fr)',
            cell: (l) => l.label,
          },
          {
            key: 'contacts',
            title: t('Contacts'),
            width: '100px',
            align: 'end',
            cell: (l) => formatNumber(l.contactCount),
          },
          {
            key: 'createdAt',
            title: t('Created'),
            sortable: true,
            width: '110px',
            wideOnly: true,
            cell: (l) => <Time at={l.createdAt} as="ago" />,
          },
          ...(may
            ? [
                {
                  key: 'do',
                  title: '',
                  width: '84px',
                  align: 'end' as const,
                  cell: (l: Label) => (
                    <Group gap={4} wrap="nowrap" justify="flex-end">
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={28}
                        aria-label={t('Rename {label}', { label: l.label })}
                        onClick={(e) => {
                          e.stopPropagation();
                          setEditing(l);
                        }}
                      >
                        <IconPencil size={16} aria-hidden />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={28}
                        aria-label={t('Delete {label}', { label: l.label })}
                        onClick={(e) => {
                          e.stopPropagation();
                          void sure(l);
                        }}
                      >
                        <IconTrash size={16} aria-hidden />
                      </ActionIcon>
                    </Group>
                  ),
                },
              ]
            : []),
        ]}
        sort={{ field: filters.sort, dir: filters.dir }}
        onSort={(s) => set({ sort: s.field, dir: s.dir })}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={
          isFiltered ? (
            <EmptyState icon={<IconTag size={28} stroke={1.5} />} title={t('No labels match')}>
              {t('Try another word or clear the search.')}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<IconTag size={28} stroke={1.5} />}
              title={t('No labels yet')}
              action={add || undefined}
            >
              {t(
                'A label is a short word such as VIP. Add it to contacts to find them again, or let a keyword add it.',
              )}
            </EmptyState>
          )
        }
      />
      {editing && (
        <LabelDialog label={editing === 'new' ? null : editing} close={() => setEditing(null)} />
      )}
    </Page>
  );
}

function LabelDialog({ label, close }: { label: Label | null; close: () => void }) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({
    initialValues: { label: label?.label ?? '' },
    validate: { label: (v) => (v.trim() ? null : t('Enter a label.')) },
  });
  const shared = {
    invalidates: [groups.listContactLabels],
    onFieldErrors: bindFieldErrors(form),
    onSuccess: close,
  };
  const add = useApiMutation(groups.createContactLabel, {
    ...shared,
    success: t('Label created'),
  });
  const rename = useApiMutation(groups.renameContactLabel, {
    ...shared,
    success: t('Label updated'),
  });
  const send = (body: { label: string }): void =>
    void (label
      ? rename.mutate({ params: { companyId, labelId: label.id }, body })
      : add.mutate({ params: { companyId }, body }));
  return (
    <Modal
      opened
      onClose={close}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={label ? t('Rename label') : t('Add label')}
    >
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="sm">
          <TextInput
            label={t('Label')}
            maxLength={60}
            data-autofocus
            {...form.getInputProps('label')}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={add.isPending || rename.isPending}>
              {label ? t('Rename') : t('Add label')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
