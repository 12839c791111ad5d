import { useState } from 'react';
import { Button, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { templates, type numbers } from '#contract';
import { Modal, t, useApiQuery } from '#ui';

type Patch = numbers.BulkPatch;
export type BulkEditKind = 'label' | 'tags' | 'template';
interface BulkEditDialogProps {
  kind: BulkEditKind;
  /** How many numbers are changed, as shown on screen. */
  count: string;
  size: number;
  busy: boolean;
  close: () => void;
  change: (patch: Patch) => Promise<void>;
}

/** Sets the label, changes the tags, or applies a template to many numbers. */
export function BulkEditDialog({ kind, count, size, busy, close, change }: BulkEditDialogProps) {
  const [label, setLabel] = useState('');
  const [add, setAdd] = useState<string[]>([]);
  const [removed, setRemoved] = useState<string[]>([]);
  const [template, setTemplate] = useState<string | null>(null);
  const patch = patchOf(kind, { label, add, removed, template });
  return (
    <Modal
      opened
      onClose={close}
      size="md"
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={titleOf(kind, size, count)}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (patch) void change(patch);
        }}
      >
        <Stack gap="sm">
          {kind === 'label' && (
            <TextInput
              label={t('Label')}
              description={t('Applies to all of them. Leave empty to remove labels.')}
              maxLength={80}
              data-autofocus
              value={label}
              onChange={(e) => setLabel(e.currentTarget.value)}
            />
          )}
          {kind === 'tags' && (
            <>
              <TagsInput
                label={t('Add')}
                data-autofocus
                value={add}
                onChange={setAdd}
                maxTags={50}
              />
              <TagsInput label={t('Remove')} value={removed} onChange={setRemoved} maxTags={50} />
            </>
          )}

          {kind === 'template' && <TemplateSelect value={template} onChange={setTemplate} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={busy} disabled={!patch}>
              {kind === 'template'
                ? t('Apply to {n}', { n: count })
                : t('Change {n}', { n: count })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function TemplateSelect({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (id: string | null) => void;
}) {
  const list = useApiQuery(
    templates.listNumberTemplates,
    { query: { perPage: 250 } },
    { silent: true },
  );
  return (
    <Select
      label={t('Template')}
      description={t(
        'Its settings and routes are copied to these numbers and replace what they have.',
      )}
      data-autofocus
      searchable
      placeholder={
        list.response?.data.length === 0 ? t('No templates yet') : t('Choose a template')
      }
      data={(list.response?.data ?? []).map((one) => ({
        value: String(one.id),
        label: one.name,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}

/** The change to send; null when nothing was entered. */
function patchOf(
  kind: BulkEditKind,
  entered: { label: string; add: string[]; removed: string[]; template: string | null },
): Patch | null {
  const { label, add, removed, template } = entered;
  if (kind === 'label') return { label: label.trim() };
  if (kind === 'template') return template ? { template_id: Number(template) } : null;
  if (add.length + removed.length === 0) return null;
  return { ...(add.length && { add_tags: add }), ...(removed.length && { remove_tags: removed }) };
}

function titleOf(kind: BulkEditKind, n: number, count: string): string {
  if (kind === 'label')
    return t('{n, plural, one {Label {count} number} other {Label {count} numbers}}', { n, count });
  if (kind === 'tags')
    return t('{n, plural, one {Tags for {count} number} other {Tags for {count} numbers}}', {
      n,
      count,
    });
  return t(
    '{n, plural, one {Apply a template to {count} number} other {Apply a template to {count} numbers}}',
    { n, count },
  );
}
