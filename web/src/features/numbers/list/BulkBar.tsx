import { useState } from 'react';
import { Button, Group, Menu, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import {
  IconCircleDot,
  IconForms,
  IconTag,
  IconTags,
  IconTemplate,
  IconTrash,
} from '@tabler/icons-react';
import { numbers, templates, type Body } from '#contract';
import {
  confirm,
  formatNumber,
  formatTotal,
  Modal,
  showUndoToast,
  t,
  trackBatch,
  useApiQuery,
  useApiMutation,
  type PageMeta,
} from '#ui';
import { BulkField } from './BulkField.tsx';
import { numberLists } from '../number-lists.ts';
import css from '#ui/components/selection-bar.module.css';

type Patch = numbers.BulkPatch;
interface BulkBarProps {
  selected: ReadonlySet<string | number>;
  of: PageMeta;
  filters: Record<string, unknown>;
  shown: number;
  clear: () => void;
}

/** Actions on the selected numbers, or on all numbers that match the filters, beyond this page. */
export function BulkBar({ selected: chosen, of, filters, shown, clear }: BulkBarProps) {
  const [everything, setEverything] = useState(false);
  const [asking, setAsking] = useState<'label' | 'tags' | 'template' | 'field' | null>(null);
  const update = useApiMutation(numbers.updateNumbersInBulk, { invalidates: numberLists });
  const remove = useApiMutation(numbers.removeNumbersInBulk, { invalidates: numberLists });
  const all = everything && of.total > chosen.size;
  const size = all ? of.total : chosen.size;
  const count = all ? formatTotal(of) : formatNumber(size);
  const which = all ? { all: true, filters } : { ids: [...chosen].map(Number) };
  const done = (): void => {
    setAsking(null);
    setEverything(false);
    clear();
  };

  const change = async (patch: Patch): Promise<void> => {
    const response = await update.mutate({
      body: { ...which, patch } as unknown as Body<typeof numbers.updateNumbersInBulk>,
    });
    if (!response) return;
    trackBatch({
      id: response.data.batchId,
      label: t('{n, plural, one {Changing # number} other {Changing # numbers}}', {
        n: response.data.total,
      }),
      total: response.data.total,
    });
    done();
  };
  const release = async (): Promise<void> => {
    const yes = await confirm({
      title: t('{n, plural, one {Release {count} number?} other {Release {count} numbers?}}', {
        n: size,
        count,
      }),
      confirmLabel: t('{n, plural, one {Release {count} number} other {Release {count} numbers}}', {
        n: size,
        count,
      }),
      danger: true,
      body: t(
        'They stop taking calls and texts right away. You can keep them for 72 hours. Then they go back to the carrier.',
      ),
    });
    const response =
      yes &&
      (await remove.mutate({ body: which as unknown as Body<typeof numbers.removeNumbersInBulk> }));
    if (!response) return;
    trackBatch({
      id: response.data.batchId,
      label: t('{n, plural, one {Releasing # number} other {Releasing # numbers}}', {
        n: response.data.total,
      }),
      total: response.data.total,
    });
    if (!all) {
      const ids = which.ids;
      showUndoToast(
        t('{n, plural, one {# number is being released} other {# numbers are being released}}', {
          n: response.data.total,
        }),
        () =>
          void remove
            .mutate({
              body: { ids, undo: true } as unknown as Body<typeof numbers.removeNumbersInBulk>,
            })
            .then((kept) => {
              if (kept)
                trackBatch({
                  id: kept.data.batchId,
                  label: t('{n, plural, one {Keeping # number} other {Keeping # numbers}}', {
                    n: kept.data.total,
                  }),
                  total: kept.data.total,
                });
            }),
        12_000,
      );
    }
    done();
  };
  if (chosen.size === 0) return null;
  return (
    <div className={css.bar} role="toolbar" aria-label={t('Selected numbers')}>
      <span className={css.count} role="status">
        {t('{n} selected', { n: count })}
      </span>
      {!all && of.total > chosen.size && chosen.size >= shown && (
        <Button size="compact-sm" variant="subtle" onClick={() => setEverything(true)}>
          {t('Select all {n} that match', { n: formatTotal(of) })}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTag size={14} aria-hidden />}
        onClick={() => setAsking('label')}
      >
        {t('Label')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTags size={14} aria-hidden />}
        onClick={() => setAsking('tags')}
      >
        {t('Tags')}
      </Button>
      <Menu position="top-start">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconCircleDot size={14} aria-hidden />}
          >
            {t('Recording')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void change({ record: true })}>{t('Record calls')}</Menu.Item>
          <Menu.Item onClick={() => void change({ record: false })}>
            {t('Don’t record calls')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTemplate size={14} aria-hidden />}
        onClick={() => setAsking('template')}
      >
        {t('Template')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconForms size={14} aria-hidden />}
        onClick={() => setAsking('field')}
      >
        {t('Custom field')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        color="red"
        leftSection={<IconTrash size={14} aria-hidden />}
        loading={remove.isPending}
        onClick={() => void release()}
      >
        {t('Release')}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        onClick={() => {
          setEverything(false);
          clear();
        }}
      >
        {t('Clear selection')}
      </Button>
      {asking === 'field' && (
        <BulkField
          count={count}
          size={size}
          busy={update.isPending}
          close={() => setAsking(null)}
          change={change}
        />
      )}
      {asking && asking !== 'field' && (
        <BulkEditDialog
          what={asking}
          count={count}
          size={size}
          busy={update.isPending}
          close={() => setAsking(null)}
          change={change}
        />
      )}
    </div>
  );
}

function BulkEditDialog({
  what,
  count,
  size: n,
  busy,
  close,
  change,
}: {
  what: 'label' | 'tags' | 'template';
  count: string;
  size: number;
  busy: boolean;
  close: () => void;
  change: (patch: Patch) => Promise<void>;
}) {
  const [label, setLabel] = useState('');
  const [add, setAdd] = useState<string[]>([]);
  const [away, setAway] = useState<string[]>([]);
  const [template, setTemplate] = useState<string | null>(null);
  const list = useApiQuery(
    templates.listNumberTemplates,
    { query: { perPage: 250 } },
    { enabled: what === 'template', silent: true },
  );
  const patch: Patch | null =
    what === 'label'
      ? { label: label.trim() }
      : what === 'tags'
        ? add.length + away.length
          ? { ...(add.length && { add_tags: add }), ...(away.length && { remove_tags: away }) }
          : null
        : template
          ? { template_id: Number(template) }
          : null;
  return (
    <Modal
      opened
      onClose={close}
      size="md"
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={
        what === 'label'
          ? t('{n, plural, one {Label {count} number} other {Label {count} numbers}}', { n, count })
          : what === 'tags'
            ? t('{n, plural, one {Tags for {count} number} other {Tags for {count} numbers}}', {
                n,
                count,
              })
            : t(
                '{n, plural, one {Apply a template to {count} number} other {Apply a template to {count} numbers}}',
                { n, count },
              )
      }
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (patch) void change(patch);
        }}
      >
        <Stack gap="sm">
          {what === 'label' && (
            <TextInput
              label={t('Label')}
              description={t('Applies to all of them. Leave empty to remove labels.')}
              maxLength={80}
              data-autofocus
              value={label}
              onChange={(e) => setLabel(e.currentTarget.value)}
            />
          )}
          {what === 'tags' && (
            <>
              <TagsInput
                label={t('Add')}
                data-autofocus
                value={add}
                onChange={setAdd}
                maxTags={50}
              />
              <TagsInput label={t('Remove')} value={away} onChange={setAway} maxTags={50} />
            </>
          )}
          {what === 'template' && (
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
              value={template}
              onChange={setTemplate}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={busy} disabled={!patch}>
              {what === 'template'
                ? t('Apply to {n}', { n: count })
                : t('Change {n}', { n: count })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
