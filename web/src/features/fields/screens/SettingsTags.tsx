import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { fields } from '#contract';
import {
  confirm,
  DataList,
  EmptyState,
  FilterBar,
  SearchField,
  showUndoToast,
  t,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePageSize,
  usePermission,
  useApiMutation,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { MergeTag, TagForm, type Tag } from '../TagDialogs.tsx';
import { tagColumns } from '../tag-columns.tsx';

const defaultFilters = { search: '', unused: '', page: 1, sort: 'name', dir: 'asc' };

/** The tag catalog: tags of calls, numbers, templates and forwarding numbers. */
export default function SettingsTags() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('tags', 50, () => set({ page: 1 }));
  const params = { companyId: useCompanyId() ?? 0 };
  const mayEdit = usePermission('tags.edit');
  const mayOrganization = usePermission('organization.edit');
  const [open, setOpen] = useState<{ what: 'form' | 'merge'; tag: Tag | null } | null>(null);
  const { response, error, loading, refetch } = useApiQuery(
    fields.listTags,
    {
      params,
      query: {
        page: filters.page,
        perPage,
        search: filters.search || null,
        unused: filters.unused === '' ? null : filters.unused === '1',
        sort: filters.sort,
        dir: filters.dir,
      },
    },
    { silent: true },
  );
  const { mutate: update } = useApiMutation(fields.updateTags, { invalidates: [fields.listTags] });
  const { mutate: destroy } = useApiMutation(fields.deleteTags, { invalidates: [fields.listTags] });
  const editable = (tag: Tag): boolean => mayEdit && (tag.scope === 'company' || mayOrganization);

  const remove = async (tag: Tag): Promise<void> => {
    const { numbers, calls, other } = tag.uses;
    const sure =
      tag.usage_count === 0 ||
      (await confirm({
        title: t('Delete “{name}”?', { name: tag.name }),
        confirmLabel: t('Delete'),
        danger: true,
        body: t(
          '{numbers, plural, one {# number} other {# numbers}}, {calls, plural, one {# call} other {# calls}} and {other, plural, one {# other item} other {# other items}} use it. You can restore it for 30 days.',
          { numbers, calls, other },
        ),
      }));
    if (!sure || !(await destroy({ params, query: {}, body: { ids: [tag.id] } }))) return;
    showUndoToast(
      t('“{name}” was deleted', { name: tag.name }),
      () => void update({ params, body: { tags: [{ id: tag.id, restore: true }] } }),
    );
  };
  const columns = tagColumns(mayEdit ? editable : null, {
    onEdit: (tag) => setOpen({ what: 'form', tag }),
    onMerge: (tag) => setOpen({ what: 'merge', tag }),
    onDelete: (tag) => void remove(tag),
  });
  const add = mayEdit && (
    <Button onClick={() => setOpen({ what: 'form', tag: null })}>{t('New tag')}</Button>
  );
  return (
    <SettingsFrame
      title={t('Tags')}
      layout="fill"
      description={t('Tags for calls and numbers, shared by everyone.')}
      action={add}
      filters={
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <SearchField
            label={t('Search tags')}
            value={filters.search}
            onChange={(search) => set({ search })}
          />
          <Select
            aria-label={t('Usage')}
            placeholder={t('Any usage')}
            w={150}
            clearable
            clearButtonProps={{ 'aria-label': t('Any usage') }}
            data={[
              { value: '0', label: t('Used') },
              { value: '1', label: t('Unused') },
            ]}
            value={filters.unused || null}
            onChange={(unused) => set({ unused: unused ?? '' })}
          />
        </FilterBar>
      }
    >
      <DataList
        label={t('Tags')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(tag) => tag.id}
        rowLabel={(tag) => tag.name}
        columns={columns}
        {...(mayEdit && {
          onOpen: (tag: Tag) => {
            if (editable(tag)) setOpen({ what: 'form', tag });
          },
        })}
        sort={{ field: filters.sort, dir: filters.dir }}
        onSort={(sort) => set({ sort: sort.field, dir: sort.dir })}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<IconTag size={28} stroke={1.5} />}
              title={t('No tags match')}
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
              icon={<IconTag size={28} stroke={1.5} />}
              title={t('No tags yet')}
              action={add}
            >
              {t('Tag a call or a number, or add tags here first.')}
            </EmptyState>
          )
        }
      />
      {open?.what === 'form' && (
        <TagForm key={open.tag?.id ?? 0} tag={open.tag} onClose={() => setOpen(null)} />
      )}
      {open?.what === 'merge' && open.tag && (
        <MergeTag tag={open.tag} onClose={() => setOpen(null)} />
      )}
    </SettingsFrame>
  );
}
