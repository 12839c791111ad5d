import { useState } from 'react';
import { ActionIcon, Button, Group, Menu, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  IconColumns3,
  IconDots,
  IconExternalLink,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { presets } from '#contract';
import {
  bindFieldErrors,
  type Column,
  DataList,
  EmptyState,
  FilterBar,
  navigate,
  Modal,
  SearchField,
  showUndoToast,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useFilters,
  useApiMutation,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';

type Preset = presets.ColumnPreset;
const defaultFilters = { search: '', entity: '' };
const lists: [entity: Preset['entity'], name: () => string, path: string][] = [
  ['numbers', () => t('Numbers'), '/numbers'],
  ['calls', () => t('Calls'), '/activity/calls'],
  ['messages', () => t('Messages'), '/activity/messages'],
  ['voicemails', () => t('Voicemails'), '/activity/voicemails'],
  ['fax', () => t('Fax'), '/activity/fax'],
  ['contacts', () => t('Contacts'), '/contacts'],
  ['templates', () => t('Templates'), '/numbers/templates'],
  ['users', () => t('Users'), '/settings/users'],
  ['campaigns', () => t('Campaigns'), '/campaigns'],
];
const listOf = (entity: string) => lists.find(([key]) => key === entity);

/** Saved column presets: the user's own and shared ones. They are created in the lists. */
export default function SettingsColumnPresets() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const [editing, setEditing] = useState<Preset | null>(null);
  const { response, error, loading, refetch } = useApiQuery(
    presets.listColumnPresets,
    { query: { search: filters.search || null, entity: filters.entity || null } },
    { silent: true },
  );
  const { mutate: update } = useApiMutation(presets.updateColumnPreset, {
    invalidates: [presets.listColumnPresets],
    success: t('Column preset was successfully updated'),
  });
  const { mutate: destroy } = useApiMutation(presets.deleteColumnPreset, {
    invalidates: [presets.listColumnPresets],
  });
  const { mutate: create } = useApiMutation(presets.createColumnPreset, {
    invalidates: [presets.listColumnPresets],
  });
  const remove = async (preset: Preset): Promise<void> => {
    if (!(await destroy({ params: { id: preset.id } }))) return;
    const { name, entity, columns, sort, filters: kept, shared, is_default } = preset;
    showUndoToast(
      t('Column preset was successfully removed'),
      () =>
        void create({ body: { name, entity, columns, sort, filters: kept, shared, is_default } }),
    );
  };
  const columns: Column<Preset>[] = [
    { key: 'name', title: t('Preset'), width: 'minmax(150px, 1.5fr)', cell: (p) => p.name },
    {
      key: 'entity',
      title: t('List'),
      width: 'minmax(100px, 1fr)',
      cell: (p) => listOf(p.entity)?.[1]() ?? p.entity,
    },
    {
      key: 'columns',
      title: t('Columns'),
      width: '90px',
      align: 'end',
      wideOnly: true,
      cell: (p) => p.columns.filter((c) => !c.hidden).length,
    },
    {
      key: 'whose',
      title: t('Owner'),
      width: 'minmax(120px, 1fr)',
      wideOnly: true,
      cell: (p) => (p.mine ? (p.shared ? t('Mine, shared') : t('Mine')) : p.user.name),
    },
    {
      key: 'default',
      title: t('Default'),
      width: '130px',
      wideOnly: true,
      cell: (p) =>
        p.is_default ? <StatusBadge tone="success">{t('My default')}</StatusBadge> : '',
    },
    {
      key: 'updated',
      title: t('Changed'),
      width: '100px',
      wideOnly: true,
      cell: (p) => <Time at={p.updated_at} as="ago" />,
    },
    {
      key: 'do',
      title: '',
      width: '40px',
      align: 'end',
      cell: (p) => (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={t('Actions for {name}', { name: p.name })}
            >
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconExternalLink size={16} aria-hidden />}
              onClick={() => navigate(listOf(p.entity)?.[2] ?? '/')}
            >
              {t('Open the list')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconColumns3 size={16} aria-hidden />}
              onClick={() =>
                void update({ params: { id: p.id }, body: { is_default: !p.is_default } })
              }
            >
              {p.is_default ? t('Don’t use as default') : t('Use as default')}
            </Menu.Item>
            {p.mine && (
              <Menu.Item
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() => setEditing(p)}
              >
                {t('Rename or share')}
              </Menu.Item>
            )}
            {p.mine && (
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => void remove(p)}
              >
                {t('Delete')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      ),
    },
  ];
  return (
    <SettingsFrame
      title={t('Column presets')}
      layout="fill"
      description={t(
        'Column sets you saved, and those your team shares. Save one with the columns button of a list.',
      )}
      filters={
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <SearchField
            label={t('Search presets')}
            value={filters.search}
            onChange={(search) => set({ search })}
          />
          <Select
            aria-label={t('List')}
            placeholder={t('Any list')}
            w={160}
            clearable
            clearButtonProps={{ 'aria-label': t('Any list') }}
            data={lists.map(([value, name]) => ({ value, label: name() }))}
            value={filters.entity || null}
            onChange={(entity) => set({ entity: entity ?? '' })}
          />
        </FilterBar>
      }
    >
      <DataList
        label={t('Column presets')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(p) => p.id}
        rowLabel={(p) => p.name}
        columns={columns}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<IconColumns3 size={28} stroke={1.5} />}
              title={t('No presets match')}
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
              icon={<IconColumns3 size={28} stroke={1.5} />}
              title={t('No presets yet')}
              action={
                <Button component="a" href="/numbers">
                  {t('Open numbers')}
                </Button>
              }
            >
              {t(
                'Choose columns with the button at the right end of a list’s header, then save them as a preset.',
              )}
            </EmptyState>
          )
        }
      />
      {editing && <Edit preset={editing} onClose={() => setEditing(null)} />}
    </SettingsFrame>
  );
}

function Edit({ preset, onClose }: { preset: Preset; onClose: () => void }) {
  const form = useForm({
    initialValues: { name: preset.name, shared: preset.shared, is_default: preset.is_default },
    validate: { name: (v) => (v.trim() ? null : t('Enter a name.')) },
  });
  const { mutate, isPending } = useApiMutation(presets.updateColumnPreset, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [presets.listColumnPresets],
    success: t('Column preset was successfully updated'),
    onSuccess: onClose,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Edit preset')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={form.onSubmit((body) => void mutate({ params: { id: preset.id }, body }))}>
        <Stack gap="sm">
          <TextInput
            label={t('Preset name')}
            maxLength={60}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Switch
            label={t('Share with the company')}
            {...form.getInputProps('shared', { type: 'checkbox' })}
          />
          <Switch
            label={t('Use as my default')}
            {...form.getInputProps('is_default', { type: 'checkbox' })}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
