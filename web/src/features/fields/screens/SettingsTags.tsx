import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { fields } from '#contract';
import {
  confirm,
  DataList,
  showUndoToast,
  t,
  useCompanyId,
  usePermission,
  useApiMutation,
} from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { MergeTag, TagForm, type Tag } from '../TagDialogs.tsx';
import { tagColumns } from '../tag-columns.tsx';

const defaultFilters = { search: '', unused: '', page: 1, sort: 'name', dir: 'asc' };

/** The tag catalog: tags of calls, numbers, templates and forwarding numbers. */
export default function SettingsTags() {
  const { list, ...filtering } = useTagList();
  const mayEdit = usePermission('tags.edit');
  const mayOrganization = usePermission('organization.edit');
  const [open, setOpen] = useState<{ what: 'form' | 'merge'; tag: Tag | null } | null>(null);
  const remove = useDeleteTag();
  const editable = (tag: Tag): boolean => mayEdit && (tag.scope === 'company' || mayOrganization);
  const onEdit = (tag: Tag | null): void => setOpen({ what: 'form', tag });
  const add = mayEdit && <Button onClick={() => onEdit(null)}>{t('New tag')}</Button>;
  const columns = tagColumns(mayEdit ? editable : null, {
    onEdit,
    onMerge: (tag) => setOpen({ what: 'merge', tag }),
    onDelete: (tag) => void remove(tag),
  });
  return (
    <SettingsFrame
      title={t('Tags')}
      layout="fill"
      description={t('Tags for calls and numbers, shared by everyone.')}
      action={add}
      filters={<TagFilters {...filtering} />}
    >
      <DataList
        {...list}
        label={t('Tags')}
        rowKey={(tag) => tag.id}
        rowLabel={(tag) => tag.name}
        columns={columns}
        {...(mayEdit && {
          onOpen: (tag: Tag) => {
            if (editable(tag)) onEdit(tag);
          },
        })}
        empty={
          <ListEmpty
            list={filtering}
            icon={IconTag}
            noMatch={t('No tags match')}
            title={t('No tags yet')}
            action={add}
          >
            {t('Tag a call or a number, or add tags here first.')}
          </ListEmpty>
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

/** The tags that match the filters in the URL. */
function useTagList() {
  const companyId = useCompanyId() ?? 0;
  return useListScreen(fields.listTags, {
    key: 'tags',
    perPage: 50,
    filters: defaultFilters,
    input: ({ page, sort, dir, search, unused }, perPage) => ({
      params: { companyId },
      query: {
        page,
        perPage,
        search: search || null,
        unused: unused === '' ? null : unused === '1',
        sort,
        dir,
      },
    }),
    silent: true,
  });
}

function TagFilters({
  filters,
  set,
  clear,
  isFiltered,
}: Omit<ReturnType<typeof useTagList>, 'list' | 'response'>) {
  return (
    <ListFilters list={{ filters, set, clear, isFiltered }} label={t('Search tags')}>
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
    </ListFilters>
  );
}

/** Deletes a tag, after a confirmation if it is used; "Undo" restores it. */
function useDeleteTag(): (tag: Tag) => Promise<void> {
  const params = { companyId: useCompanyId() ?? 0 };
  const { mutate: update } = useApiMutation(fields.updateTags, { invalidates: [fields.listTags] });
  const { mutate: destroy } = useApiMutation(fields.deleteTags, { invalidates: [fields.listTags] });
  return async (tag) => {
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
}
