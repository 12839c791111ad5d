import { useState } from 'react';
import {
  ActionIcon,
  Button,
  Group,
  Menu,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconDots, IconFilter, IconPencil, IconTrash, IconUsersGroup } from '@tabler/icons-react';
import { groups } from '#contract';
import {
  bindFieldErrors,
  type Column,
  DataList,
  EmptyState,
  ErrorState,
  FilterBar,
  formatNumber,
  Modal,
  Page,
  SearchField,
  showUndoToast,
  StatusBadge,
  t,
  useApiQuery,
  useFilters,
  usePageSize,
  usePermission,
  useApiMutation,
} from '#ui';
import { ContactsTabs } from '../ContactsTabs.tsx';
import { RuleBuilder, useRuleText } from '../RuleBuilder.tsx';
import type { Rule } from '../labels.ts';
import css from '../contacts.module.css';

type ContactGroup = groups.Group;
const defaultFilters = { search: '', virtual: '', page: 1, sort: 'usual', dir: 'asc' };
const invalidates = [groups.listGroups];

/** Static groups, and virtual groups that follow a rule. */
export default function ContactGroups() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('groups', 50, () => set({ page: 1 }));
  const { response, error, loading, refetch } = useApiQuery(groups.listGroups, {
    query: {
      search: filters.search || null,
      virtual: filters.virtual || null,
      sort: filters.sort,
      dir: filters.dir,
      page: filters.page,
      perPage,
    },
  });
  const may = usePermission('contacts.edit');
  const words = useRuleText();
  const [editing, setEditing] = useState<ContactGroup | 'new' | null>(null);
  const restore = useApiMutation(groups.restoreGroup, {
    invalidates,
    success: t('Group restored'),
  });
  const { mutate: remove } = useApiMutation(groups.deleteGroup, { invalidates });
  const drop = async (g: ContactGroup): Promise<void> => {
    if (await remove({ params: { id: g.id } }))
      showUndoToast(
        t('{name} was deleted', { name: g.name }),
        () => void restore.mutate({ params: { id: g.id } }),
      );
  };
  const count = (
    key: 'contactCount' | 'activeCount' | 'unsubscriberCount' | 'invalidCount',
    title: string,
    wideOnly = true,
  ): Column<ContactGroup> => ({
    key,
    title,
    width: '108px',
    align: 'end',
    wideOnly,
    cell: (g) => formatNumber(g[key]),
  });
  const columns: Column<ContactGroup>[] = [
    {
      key: 'name',
      title: t('Group'),
      sortable: true,
      width: 'minmax(150px, 2fr)',
      cell: (g) => (
        <span className={css.name}>
          <span>{g.name}</span>
        </span>
      ),
    },
    {
      key: 'kind',
      title: t('Type'),
      width: 'minmax(120px, 2fr)',
      wideOnly: true,
      cell: (g) =>
        g.system ? (
          <StatusBadge>{t('Built-in')}</StatusBadge>
        ) : g.virtual ? (
          <span className={css.rule} title={words.words(g.rule!)}>
            <IconFilter size={14} aria-label={t('Rule-based')} /> {words.words(g.rule!)}
          </span>
        ) : (
          <span className={css.rule}>{t('List')}</span>
        ),
    },
    count('contactCount', t('Contacts'), false),
    count('activeCount', t('Can receive texts')),
    count('unsubscriberCount', t('Unsubscribed')),
    count('invalidCount', t('Invalid')),
    ...(may
      ? [
          {
            key: 'menu',
            title: '',
            width: '44px',
            align: 'end' as const,
            cell: (g: ContactGroup) =>
              g.system ? null : (
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size={28}
                      aria-label={t('Actions for {name}', { name: g.name })}
                      onClick={(e) => e.stopPropagation()}
                    >
                      <IconDots size={16} aria-hidden />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown onClick={(e) => e.stopPropagation()}>
                    <Menu.Item
                      leftSection={<IconPencil size={16} aria-hidden />}
                      onClick={() => setEditing(g)}
                    >
                      {g.virtual ? t('Edit rule') : t('Rename')}
                    </Menu.Item>
                    <Menu.Item
                      color="red"
                      leftSection={<IconTrash size={16} aria-hidden />}
                      onClick={() => void drop(g)}
                    >
                      {t('Delete group')}
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              ),
          },
        ]
      : []),
  ];
  const add = may && <Button onClick={() => setEditing('new')}>{t('Add group')}</Button>;
  // A response without data isn't an empty list (A §8).
  const broken = response !== undefined && !Array.isArray(response.data);
  return (
    <Page
      title={t('Contact groups')}
      layout="fill"
      action={add || undefined}
      filters={
        <>
          <ContactsTabs />
          <FilterBar isFiltered={isFiltered} onClear={clear}>
            <SearchField
              maxLength={80}
              label={t('Search groups')}
              value={filters.search}
              onChange={(search) => set({ search })}
            />
            <Select
              aria-label={t('Type')}
              placeholder={t('Any type')}
              w={170}
              clearable
              clearButtonProps={{ 'aria-label': t('Any type') }}
              data={[
                { value: '0', label: t('Lists') },
                { value: '1', label: t('Rule-based') },
              ]}
              value={filters.virtual || null}
              onChange={(v) => set({ virtual: v ?? '' })}
            />
          </FilterBar>
        </>
      }
    >
      {broken ? (
        <ErrorState title={t('Internal 500 error')} retry={refetch} />
      ) : (
        <DataList
          label={t('Groups')}
          rows={response?.data}
          loading={loading}
          error={error}
          refetch={refetch}
          rowKey={(g) => g.id}
          rowLabel={(g) => g.name}
          href={(g) => `/contacts?groupId=${g.id}`}
          columns={columns}
          sort={{ field: filters.sort, dir: filters.dir as 'asc' | 'desc' }}
          onSort={(s) => set({ sort: s.field, dir: s.dir })}
          paging={{
            page: filters.page,
            perPage,
            onPerPage,
            meta: response?.meta,
            onPage: (page) => set({ page }),
          }}
          empty={
            <EmptyState
              icon={<IconUsersGroup size={28} stroke={1.5} />}
              title={t('No groups match')}
              action={add || undefined}
            >
              {t('Try another word or clear the search.')}
            </EmptyState>
          }
        />
      )}
      {editing && (
        <GroupDialog group={editing === 'new' ? null : editing} close={() => setEditing(null)} />
      )}
    </Page>
  );
}

function GroupDialog({ group, close }: { group: ContactGroup | null; close: () => void }) {
  const [kind, setKind] = useState<'list' | 'rule'>(group?.virtual ? 'rule' : 'list');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const form = useForm<{ name: string; rule: Rule }>({
    initialValues: {
      name: group?.name ?? '',
      rule: group?.rule ?? { all: [{ field: 'city', op: 'is', value: '' }] },
    },
    validate: { name: (v) => (v.trim() ? null : t('Enter a group name.')) },
  });
  const bound = bindFieldErrors(form);
  const shared = {
    invalidates,
    onSuccess: close,
    onFieldErrors: (error: Parameters<typeof bound>[0]) => {
      setErrors(error.fields);
      const own = bound(error);
      return [...own, ...Object.keys(error.fields).filter((f) => f.startsWith('rule'))];
    },
  };
  const add = useApiMutation(groups.createGroup, {
    ...shared,
    success: t('Group created'),
  });
  const change = useApiMutation(groups.updateGroup, {
    ...shared,
    success: t('Group updated'),
  });
  const send = ({ name, rule }: { name: string; rule: Rule }): void => {
    setErrors({});
    const body = { name, ...(kind === 'rule' ? { rule } : {}) };
    void (group
      ? change.mutate({ params: { id: group.id }, body })
      : add.mutate({ body: { ...body, virtual: kind === 'rule' } }));
  };
  return (
    <Modal
      opened
      onClose={close}
      size={kind === 'rule' ? 'xl' : 'sm'}
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={group ? t('Edit group') : t('Add group')}
    >
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            maxLength={80}
            data-autofocus
            {...form.getInputProps('name')}
          />
          {!group && (
            <SegmentedControl
              aria-label={t('Group type')}
              value={kind}
              onChange={(v) => setKind(v as 'list' | 'rule')}
              data={[
                { value: 'list', label: t('Manual list') },
                { value: 'rule', label: t('Rule-based') },
              ]}
            />
          )}
          {kind === 'list' ? (
            !group && (
              <Text size="sm" c="dimmed">
                {t('Add contacts from the contact list, an import or a keyword.')}
              </Text>
            )
          ) : (
            <RuleBuilder
              rule={form.values.rule}
              onChange={(rule) => form.setFieldValue('rule', rule)}
              errors={errors}
            />
          )}
          {errors['rule'] && (
            <Text size="sm" c="var(--tl-danger)">
              {errors['rule']}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={add.isPending || change.isPending}>
              {group ? t('Save') : t('Add group')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
