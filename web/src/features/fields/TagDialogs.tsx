import { useState } from 'react';
import { Button, Input, Select, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fields } from '#contract';
import { bindFieldErrors, Modal, t, useApiQuery, useCompanyId, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import css from './fields.module.css';

export type Tag = fields.Tag;
/** A color of the palette, the same in light and dark mode. */
export const colorVar = (color: string): string => `var(--mantine-color-${color}-6)`;
const colorName = (color: string): string =>
  ({
    teal: t('Teal'),
    blue: t('Blue'),
    grape: t('Grape'),
    orange: t('Orange'),
    green: t('Green'),
    pink: t('Pink'),
    cyan: t('Cyan'),
    indigo: t('Indigo'),
    red: t('Red'),
    yellow: t('Yellow'),
    gray: t('Gray'),
  })[color] ?? color;
const tagColors = [
  'teal',
  'blue',
  'grape',
  'orange',
  'green',
  'pink',
  'cyan',
  'indigo',
  'red',
  'yellow',
  'gray',
];

interface TagFormProps {
  /** Null creates a tag. */
  tag: Tag | null;
  onClose: () => void;
}

/** Creates a tag, or edits a tag's name and color. */
export function TagForm({ tag, onClose }: TagFormProps) {
  const { form, save, isPending } = useTagForm({ tag, onClose });
  return (
    <Modal
      opened
      onClose={onClose}
      title={tag ? t('Edit tag') : t('New tag')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={save}>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            maxLength={50}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ColorChoice
            value={form.values.color}
            onChange={(color) => form.setFieldValue('color', color)}
          />
          {tag && tag.usage_count > 0 && (
            <Text size="xs" c="dimmed">
              {t('Everything tagged with it keeps the tag under its new name.')}
            </Text>
          )}
          <DialogFooter onCancel={onClose}>
            <Button type="submit" loading={isPending}>
              {tag ? t('Save') : t('Add')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

function useTagForm({ tag, onClose }: TagFormProps) {
  const params = { companyId: useCompanyId() ?? 0 };
  const form = useForm({
    initialValues: { name: tag?.name ?? '', color: tag?.color ?? '' },
    validate: { name: (v) => (v.trim() ? null : t('Enter a name.')) },
  });
  const options = { onFieldErrors: bindFieldErrors(form), invalidates: [fields.listTags] };
  const create = useApiMutation(fields.createTags, { ...options, success: t('Tag added') });
  const update = useApiMutation(fields.updateTags, { ...options, success: t('Tag updated') });
  const save = form.onSubmit(async ({ name, color }) => {
    const body = { name: name.trim(), ...(color ? { color: color as 'teal' } : {}) };
    const done = tag
      ? await update.mutate({ params, body: { tags: [{ id: tag.id, ...body }] } })
      : await create.mutate({ params, body: { tags: [body] } });
    if (done) onClose();
  });
  return { form, save, isPending: create.isPending || update.isPending };
}

function ColorChoice({ value, onChange }: { value: string; onChange: (color: string) => void }) {
  return (
    <Input.Wrapper label={t('Color')} labelElement="div">
      <div className={css.swatches} role="radiogroup" aria-label={t('Color')}>
        {tagColors.map((color) => (
          <UnstyledButton
            key={color}
            role="radio"
            aria-checked={value === color}
            aria-label={colorName(color)}
            className={css.swatch ?? ''}
            style={{ background: colorVar(color) }}
            onClick={() => onChange(color)}
          />
        ))}
      </div>
    </Input.Wrapper>
  );
}

/** Merges a tag into another: everything that has the first gets the second. */
export function MergeTag({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const companyId = useCompanyId() ?? 0;
  const [into, setInto] = useState<string | null>(null);
  const { response } = useApiQuery(
    fields.listTags,
    { params: { companyId }, query: { perPage: 1000 } },
    { silent: true },
  );
  const { mutate, isPending } = useApiMutation(fields.updateTags, {
    invalidates: [fields.listTags],
    success: t('Tags merged'),
  });
  const others = (response?.data ?? []).filter((other) => other.id !== tag.id);
  const merge = async (): Promise<void> => {
    if (
      into &&
      (await mutate({
        params: { companyId },
        body: { tags: [{ id: tag.id, merge_into: Number(into) }] },
      }))
    )
      onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Merge “{name}” into another tag', { name: tag.name })}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        <Select
          label={t('Into')}
          placeholder={t('Choose a tag')}
          searchable
          data-autofocus
          nothingFoundMessage={t('No results')}
          data={others.map((other) => ({ value: String(other.id), label: other.name }))}
          value={into}
          onChange={setInto}
        />
        <Text size="sm" c="dimmed">
          {t(
            '{n, plural, one {# item gets} other {# items get}} that tag, and this one is deleted. This can’t be undone.',
            { n: tag.usage_count },
          )}
        </Text>
        <DialogFooter onCancel={onClose}>
          <Button disabled={!into} loading={isPending} onClick={() => void merge()}>
            {t('Merge')}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
