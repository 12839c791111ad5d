import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { presets } from '#contract';
import { DataList, showUndoToast, t, useApiQuery, useFilters, useApiMutation } from '#ui';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
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
  const actions = usePresetActions();
  return (
    <SettingsFrame
      title={t('Column presets')}
      layout="fill"
      description={t(
        'Column sets you saved, and those your team shares. Save one with the columns button of a list.',
      )}
      filters={
        <ListFilters list={{ filters, set, clear, isFiltered }} label={t('Search presets')}>
          <ListFilter value={filters.entity} onChange={(entity) => set({ entity })} />
        </ListFilters>
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
        columns={presetColumns({ ...actions, onEdit: setEditing })}
        empty={
          <ListEmpty
            list={{ isFiltered, clear }}
            icon={IconColumns3}
            noMatch={t('No presets match')}
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
          </ListEmpty>
        }
      />
      {editing && <PresetDialog preset={editing} onClose={() => setEditing(null)} />}
    </SettingsFrame>
  );
}

/** Makes a preset the default, or deletes it; "Undo" creates it again. */
function usePresetActions() {
  const invalidates = [presets.listColumnPresets];
  const { mutate: update } = useApiMutation(presets.updateColumnPreset, {
    invalidates,
    success: t('Column preset was successfully updated'),
  });
  const { mutate: destroy } = useApiMutation(presets.deleteColumnPreset, { invalidates });
  const { mutate: create } = useApiMutation(presets.createColumnPreset, { invalidates });
  const remove = async (preset: Preset): Promise<void> => {
    if (!(await destroy({ params: { id: preset.id } }))) return;
    const { name, entity, columns, sort, filters, shared, is_default } = preset;
    showUndoToast(
      t('Column preset was successfully removed'),
      () => void create({ body: { name, entity, columns, sort, filters, shared, is_default } }),
    );
  };
  return {
    onToggleDefault: (p: Preset) =>
      void update({ params: { id: p.id }, body: { is_default: !p.is_default } }),
    onDelete: (p: Preset) => void remove(p),
  };
}

const ListFilter = ({ value, onChange }: { value: string; onChange: (entity: string) => void }) => (
  <Select
    aria-label={t('List')}
    placeholder={t('Any list')}
    w={160}
    clearable
    clearButtonProps={{ 'aria-label': t('Any list') }}
    data={lists.map(([entity, name]) => ({ value: entity, label: name() }))}
    value={value || null}
    onChange={(entity) => onChange(entity ?? '')}
  />
);
