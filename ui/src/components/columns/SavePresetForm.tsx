import { Button, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { createColumnPreset, listColumnPresets } from '#contract/fields/presets/endpoints';
import { bindFieldErrors } from '../../form.ts';
import { useApiMutation } from '../../use-api-mutation.ts';
import { t } from '../../i18n.ts';
import type { Sort } from '../list/types.ts';
import type { ColumnLayout } from './arrange.ts';
import type { ColumnState, ColumnPresetOptions } from './use-columns.ts';

/** `more`: whether sorting and filters are saved, too. */
const initialValues = { name: '', shared: false, is_default: false, more: false };

/** Names the current columns as a preset. `done`: the new preset, or null when left without one. */
export function SavePresetForm({
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
    initialValues,
    validate: { name: (v) => (v.trim() ? null : t('Enter a name.')) },
  });
  const { mutate, isPending } = useApiMutation(createColumnPreset, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Column preset was successfully created'),
    invalidates: [listColumnPresets],
  });
  const save = form.onSubmit(async ({ more, ...preset }) => {
    const made = await mutate({
      body: {
        ...preset,
        entity: as.list,
        columns: layout.map((p, i) => ({ ...p, order: i, pinned: i === 0 })),
        sort: more && sort ? sort : null,
        filters: more && as.filters ? as.filters : null,
      },
    });
    if (made) done(made.data);
  });
  const sortLabel = sort ? t('Also keep sorting') : undefined;
  const moreLabel = as.filters ? t('Also keep sorting and filters') : sortLabel;
  return (
    <form onSubmit={save}>
      <Stack gap="xs">
        <PresetFields form={form} moreLabel={moreLabel} />
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

function PresetFields({
  form,
  moreLabel,
}: {
  form: UseFormReturnType<typeof initialValues>;
  moreLabel: string | undefined;
}) {
  return (
    <>
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
      {moreLabel !== undefined && (
        <Switch size="sm" label={moreLabel} {...form.getInputProps('more', { type: 'checkbox' })} />
      )}
    </>
  );
}
