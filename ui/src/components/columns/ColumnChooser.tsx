import { useState } from 'react';
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Popover,
  Select,
  Stack,
  Switch,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { NumberInput } from '../Lazy.tsx';
import { useForm } from '@mantine/form';
import { IconColumns3 } from '@tabler/icons-react';
import {
  createColumnPreset,
  listColumnPresets,
  updateColumnPreset,
} from '#contract/fields/presets/endpoints';
import { bindFieldErrors } from '../../form.ts';
import { useApiMutation } from '../../use-api-mutation.ts';
import { t } from '../../i18n.ts';
import type { Sort } from '../list/types.ts';
import { moveItem, Reorder } from '../Reorder.tsx';
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
export function ColumnChooser({ as, columns, order, sort, onSort }: ChooserProps) {
  const [open, setOpen] = useState(false);
  const [naming, setNaming] = useState(false);
  const { all, presets, preset, changed, isCustom: own, arrange, choosePreset: choose } = columns;
  const layout = all.map((c) => c.placed);
  const change = (key: string, what: Partial<ColumnLayout>): void =>
    arrange(layout.map((p) => (p.key === key ? { ...p, ...what } : p)));
  const { mutate: update, isPending } = useApiMutation(updateColumnPreset, {
    success: t('Column preset was successfully updated'),
    invalidates: [listColumnPresets],
  });
  const pick = (id: string | null): void => {
    const next = presets.find((p) => String(p.id) === id) ?? null;
    choose(next);
    if (next?.sort && onSort) onSort(next.sort);
    if (next?.filters && as.onFilters) as.onFilters(next.filters);
  };
  const groups = [
    [t('Mine'), presets.filter((p) => p.mine)],
    [t('Shared with the company'), presets.filter((p) => !p.mine)],
  ] as const;
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
            as={as}
            layout={layout}
            sort={sort}
            done={(made) => {
              setNaming(false);
              if (made) choose(made);
            }}
          />
        ) : (
          <Stack gap="xs">
            <Group gap="xs" align="end" wrap="nowrap">
              <Select
                flex={1}
                size="xs"
                label={t('Preset')}
                placeholder={t('Default')}
                clearable
                clearButtonProps={{ 'aria-label': t('Default') }}
                comboboxProps={{ withinPortal: false }}
                value={own || preset ? (preset ? String(preset.id) : null) : null}
                onChange={pick}
                data={groups
                  .filter(([, some]) => some.length)
                  .map(([group, some]) => ({
                    group,
                    items: some.map((p) => ({
                      value: String(p.id),
                      label: p.is_default ? t('{name} (default)', { name: p.name }) : p.name,
                    })),
                  }))}
                disabled={!presets.length}
              />
              {own && (
                <Button size="compact-sm" variant="subtle" onClick={() => choose(null)}>
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
                  <div className={css.row}>
                    <Checkbox
                      size="xs"
                      label={c.title}
                      checked={!c.placed.hidden}
                      disabled={isFixed(order, c.key)}
                      onChange={(e) => change(c.key, { hidden: !e.currentTarget.checked })}
                    />
                    {!c.placed.hidden && (
                      <NumberInput
                        size="xs"
                        w={84}
                        variant="unstyled"
                        hideControls
                        allowDecimal={false}
                        allowNegative={false}
                        clampBehavior="none"
                        suffix=" px"
                        aria-label={t('Width of {column} in pixels', { column: c.title })}
                        placeholder={t('Auto')}
                        value={c.placed.width ?? ''}
                        onBlur={(e) => {
                          const n = parseInt(e.currentTarget.value, 10);
                          change(c.key, {
                            width: Number.isNaN(n) ? null : Math.min(1200, Math.max(40, n)),
                          });
                        }}
                      />
                    )}
                  </div>
                )}
              </Reorder>
            </div>
            <Group justify="space-between" gap="xs">
              <Button
                component="a"
                href="/settings/column-presets"
                size="compact-sm"
                variant="subtle"
              >
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
                          columns: layout.map((p, i) => ({ ...p, order: i, pinned: i === 0 })),
                        },
                      })
                    }
                  >
                    {t('Update preset')}
                  </Button>
                )}
                <Button size="compact-sm" onClick={() => setNaming(true)}>
                  {t('Save as preset')}
                </Button>
              </Group>
            </Group>
          </Stack>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function SavePresetForm({
  as,
  layout,
  sort,
  done,
}: {
  as: ColumnPresetOptions;
  layout: readonly ColumnLayout[];
  sort: Sort | undefined;
  done: (made: ColumnState<never>['preset']) => void;
}) {
  const form = useForm({
    initialValues: { name: '', shared: false, is_default: false, more: false },
    validate: { name: (v) => (v.trim() ? null : t('Enter a name.')) },
  });
  const { mutate, isPending } = useApiMutation(createColumnPreset, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Column preset was successfully created'),
    invalidates: [listColumnPresets],
  });
  const save = form.onSubmit(async ({ more, ...said }) => {
    const made = await mutate({
      body: {
        ...said,
        entity: as.list,
        columns: layout.map((p, i) => ({ ...p, order: i, pinned: i === 0 })),
        sort: more && sort ? sort : null,
        filters: more && as.filters ? as.filters : null,
      },
    });
    if (made) done(made.data);
  });
  return (
    <form onSubmit={save}>
      <Stack gap="xs">
        <TextInput
          size="sm"
          label={t('Preset name')}
          maxLength={60}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Switch
          size="sm"
          label={t('Share with the company')}
          {...form.getInputProps('shared', { type: 'checkbox' })}
        />
        <Switch
          size="sm"
          label={t('Use as my default')}
          {...form.getInputProps('is_default', { type: 'checkbox' })}
        />
        {(sort || as.filters) && (
          <Switch
            size="sm"
            label={as.filters ? t('Also keep sorting and filters') : t('Also keep sorting')}
            {...form.getInputProps('more', { type: 'checkbox' })}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => done(null)}>
            {t('Back')}
          </Button>
          <Button size="compact-sm" type="submit" loading={isPending}>
            {t('Save preset')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
