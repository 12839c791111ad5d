import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { presets } from '#contract';
import {
  DataList,
  EmptyState,
  FilterBar,
  SearchField,
  showUndoToast,
  t,
  useApiQuery,
  useFilters,
  useApiMutation,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { PresetDialog } from '../PresetDialog.tsx';
import { lists, presetColumns } from '../preset-columns.tsx';

type Preset = presets.ColumnPreset;
const defaultFilters = { search: '', entity: '' };

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
  const columns = presetColumns({
    onToggleDefault: (p) =>
      void update({ params: { id: p.id }, body: { is_default: !p.is_default } }),
    onEdit: setEditing,
    onDelete: (p) => void remove(p),
  });
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
      {editing && <PresetDialog preset={editing} onClose={() => setEditing(null)} />}
    </SettingsFrame>
  );
}
