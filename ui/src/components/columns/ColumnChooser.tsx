import { useState } from 'react';
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Popover,
  Select,
  Stack,
  Tooltip,
} from '@mantine/core';
import { NumberInput } from '../Lazy.tsx';
import { IconColumns3 } from '@tabler/icons-react';
import { listColumnPresets, updateColumnPreset } from '#contract/fields/presets/endpoints';
import { useApiMutation } from '../../use-api-mutation.ts';
import { t } from '../../i18n.ts';
import type { Sort } from '../list/types.ts';
import { moveItem, Reorder } from '../Reorder.tsx';
import { SavePresetForm } from './SavePresetForm.tsx';
import { isFixed, type ColumnLayout } from './arrange.ts';
import type { ColumnState, ColumnPresetOptions } from './use-columns.ts';
import css from './ColumnChooser.module.css';

interface ChooserProps {
  as: ColumnPresetOptions;
  columns: ColumnState<{ key: string; title: string }>;
  order: readonly { key: string; title: string }[];
  sort?: Sort;
  onSort?: (sort: Sort) => void;
}

/** Chooses the columns of a list, their order and widths; saved as presets that can be shared. */
export function ColumnChooser(props: ChooserProps) {
  const [open, setOpen] = useState(false);
  const [naming, setNaming] = useState(false);
  const { all, choosePreset } = props.columns;
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={340}
      trapFocus
      withinPortal
      shadow="none"
      onClose={() => setNaming(false)}
    >
      <Popover.Target>
        <Tooltip label={t('Choose columns')} openDelay={400}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={t('Choose columns')}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <IconColumns3 size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={css.drop ?? ''} aria-label={t('Columns')}>
        {naming ? (
          <SavePresetForm
            as={props.as}
            layout={all.map((c) => c.placed)}
            sort={props.sort}
            done={(made) => {
              setNaming(false);
              if (made) choosePreset(made);
            }}
          />
        ) : (
          <ColumnSettings {...props} onSaveAs={() => setNaming(true)} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The preset, and the columns with their order, visibility and width. */
function ColumnSettings({
  as,
  columns,
  order,
  onSort,
  onSaveAs,
}: ChooserProps & { onSaveAs: () => void }) {
  const { all, presets, preset, isCustom, arrange, choosePreset } = columns;
  const layout = all.map((c) => c.placed);
  const pick = (id: string | null): void => {
    const next = presets.find((p) => String(p.id) === id) ?? null;
    choosePreset(next);
    if (next?.sort && onSort) onSort(next.sort);
    if (next?.filters && as.onFilters) as.onFilters(next.filters);
  };
  return (
    <Stack gap="xs">
      <Group gap="xs" align="end" wrap="nowrap">
        <PresetSelect presets={presets} preset={preset} onPick={pick} />
        {isCustom && (
          <Button size="compact-sm" variant="subtle" onClick={() => choosePreset(null)}>
            {t('Reset')}
          </Button>
        )}
      </Group>
      <div className={css.scroll}>
        <Reorder
          label={t('Columns')}
          items={all.filter((c) => c.title)}
          keyOf={(c) => c.key}
          nameOf={(c) => c.title}
          fixed={(c) => isFixed(order, c.key)}
          onMove={(from, to) => arrange(moveItem(layout, from, to))}
        >
          {(c) => (
            <ColumnRow
              column={c}
              fixed={isFixed(order, c.key)}
              change={(changes) =>
                arrange(layout.map((p) => (p.key === c.key ? { ...p, ...changes } : p)))
              }
            />
          )}
        </Reorder>
      </div>
      <PresetButtons columns={columns} onSaveAs={onSaveAs} />
    </Stack>
  );
}

function PresetSelect({
  presets,
  preset,
  onPick,
}: Pick<ChooserProps['columns'], 'presets' | 'preset'> & { onPick: (id: string | null) => void }) {
  const groups = [
    [t('Mine'), presets.filter((p) => p.mine)],
    [t('Shared with the company'), presets.filter((p) => !p.mine)],
  ] as const;
  return (
    <Select
      flex={1}
      size="xs"
      label={t('Preset')}
      placeholder={t('Default')}
      clearable
      clearButtonProps={{ 'aria-label': t('Default') }}
      comboboxProps={{ withinPortal: false }}
      value={preset ? String(preset.id) : null}
      onChange={onPick}
      data={groups
        .filter(([, presetsOfGroup]) => presetsOfGroup.length > 0)
        .map(([group, presetsOfGroup]) => ({
          group,
          items: presetsOfGroup.map((p) => ({
            value: String(p.id),
            label: p.is_default ? t('{name} (default)', { name: p.name }) : p.name,
          })),
        }))}
      disabled={!presets.length}
    />
  );
}

function ColumnRow({
  column,
  fixed,
  change,
}: {
  column: ChooserProps['columns']['all'][number];
  /** The column can't be hidden or moved. */
  fixed: boolean;
  change: (changes: Partial<ColumnLayout>) => void;
}) {
  return (
    <div className={css.row}>
      <Checkbox
        size="xs"
        label={column.title}
        checked={!column.placed.hidden}
        disabled={fixed}
        onChange={(e) => change({ hidden: !e.currentTarget.checked })}
      />
      {!column.placed.hidden && (
        <NumberInput
          size="xs"
          w={84}
          variant="unstyled"
          hideControls
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="none"
          suffix=" px"
          aria-label={t('Width of {column} in pixels', { column: column.title })}
          placeholder={t('Auto')}
          value={column.placed.width ?? ''}
          onBlur={(e) => {
            const n = parseInt(e.currentTarget.value, 10);
            change({
              width: Number.isNaN(n) ? null : Math.min(1200, Math.max(40, n)),
            });
          }}
        />
      )}
    </div>
  );
}

function PresetButtons({
  columns: { all, preset, changed },
  onSaveAs,
}: Pick<ChooserProps, 'columns'> & { onSaveAs: () => void }) {
  const { mutate: update, isPending } = useApiMutation(updateColumnPreset, {
    success: t('Column preset was successfully updated'),
    invalidates: [listColumnPresets],
  });
  return (
    <Group justify="space-between" gap="xs">
      <Button component="a" href="/settings/column-presets" size="compact-sm" variant="subtle">
        {t('All presets')}
      </Button>
      <Group gap="xs">
        {preset?.mine && changed && (
          <Button
            size="compact-sm"
            variant="default"
            loading={isPending}
            onClick={() =>
              void update({
                params: { id: preset.id },
                body: {
                  columns: all.map((c, i) => ({ ...c.placed, order: i, pinned: i === 0 })),
                },
              })
            }
          >
            {t('Update preset')}
          </Button>
        )}
        <Button size="compact-sm" onClick={onSaveAs}>
          {t('Save as preset')}
        </Button>
      </Group>
    </Group>
  );
}
