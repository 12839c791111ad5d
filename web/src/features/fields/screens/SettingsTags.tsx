import { useState } from 'react';
import { ActionIcon, Button, Menu, Select } from '@mantine/core';
import { IconArrowMerge, IconDots, IconPencil, IconTag, IconTrash } from '@tabler/icons-react';
import { fields } from '#contract';
import {
  confirm,
  DataList,
  EmptyState,
  FilterBar,
  formatNumber,
  SearchField,
  showUndoToast,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePageSize,
  usePermission,
  useApiMutation,
  type Column,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { colorVar, MergeTag, TagForm, type Tag } from '../TagDialogs.tsx';
import css from '../fields.module.css';

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
        dir: filters.dir as 'asc',
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
  const columns: Column<Tag>[] = [
    {
      key: 'name',
      title: t('Tag'),
      width: 'minmax(140px, 1.6fr)',
      sortable: true,
      cell: (tag) => (
        <span>
          <span className={css.dot} style={{ background: colorVar(tag.color) }} aria-hidden />
          {tag.name}
        </span>
      ),
    },
    {
      key: 'usage_count',
      title: t('Usage'),
      width: '80px',
      sortable: true,
      align: 'end',
      cell: (tag) => formatNumber(tag.usage_count),
    },
    {
      key: 'uses',
      title: t('On'),
      wideOnly: true,
      cell: (tag) =>
        [
          tag.uses.numbers &&
            t('{n, plural, one {# number} other {# numbers}}', { n: tag.uses.numbers }),
          tag.uses.calls && t('{n, plural, one {# call} other {# calls}}', { n: tag.uses.calls }),
          tag.uses.other &&
            t('{n, plural, one {# other item} other {# other items}}', { n: tag.uses.other }),
        ]
          .filter(Boolean)
          .join(', ') || t('Nothing yet'),
    },
    {
      key: 'scope',
      title: t('Owner'),
      width: '120px',
      wideOnly: true,
      cell: (tag) => (tag.scope === 'organization' ? t('Organization') : t('This company')),
    },
    {
      key: 'created_at',
      title: t('Since'),
      width: '110px',
      sortable: true,
      wideOnly: true,
      cell: (tag) => <Time at={tag.created_at} as="date" />,
    },
    ...(mayEdit
      ? [
          {
            key: 'do',
            title: '',
            width: '40px',
            align: 'end' as const,
            cell: (tag: Tag) =>
              editable(tag) && (
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size={28}
                      aria-label={t('Actions for {name}', { name: tag.name })}
                    >
                      <IconDots size={16} aria-hidden />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item
                      leftSection={<IconPencil size={16} aria-hidden />}
                      onClick={() => setOpen({ what: 'form', tag })}
                    >
                      {t('Edit name or color')}
                    </Menu.Item>
                    {tag.scope === 'company' && (
                      <Menu.Item
                        leftSection={<IconArrowMerge size={16} aria-hidden />}
                        onClick={() => setOpen({ what: 'merge', tag })}
                      >
                        {t('Merge into another')}
                      </Menu.Item>
                    )}
                    <Menu.Item
                      color="red"
                      leftSection={<IconTrash size={16} aria-hidden />}
                      onClick={() => void remove(tag)}
                    >
                      {t('Delete')}
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              ),
          },
        ]
      : []),
  ];
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
        sort={{ field: filters.sort, dir: filters.dir as 'asc' | 'desc' }}
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
