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

/** What can be done with the chosen numbers; "all that match" goes beyond this page. */
export function BulkBar({ selected: chosen, of, filters, shown, clear }: BulkBarProps) {
  const [everything, setEverything] = useState(false);
  const [asking, setAsking] = useState<'label' | 'tags' | 'template' | 'field' | null>(null);
  const update = useApiMutation(numbers.updateNumbersInBulk, { invalidates: numberLists });
  const remove = useApiMutation(numbers.removeNumbersInBulk, { invalidates: numberLists });
  const all = everything && of.total > chosen.size;
  const count = all ? formatTotal(of) : formatNumber(chosen.size);
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
      label: t('Changing {n} numbers', { n: formatNumber(response.data.total) }),
      total: response.data.total,
    });
    done();
  };
  const release = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Release {n} numbers?', { n: count }),
      confirmLabel: t('Release {n} numbers', { n: count }),
      danger: true,
      body: t(
        'They stop taking calls and texts at once. For 72 hours you can keep them after all; then they go back to the carrier.',
      ),
    });
    const response =
      yes &&
      (await remove.mutate({ body: which as unknown as Body<typeof numbers.removeNumbersInBulk> }));
    if (!response) return;
    trackBatch({
      id: response.data.batchId,
      label: t('Releasing {n} numbers', { n: formatNumber(response.data.total) }),
      total: response.data.total,
    });
    if (!all) {
      const ids = which.ids;
      showUndoToast(
        t('{n} numbers are being released', { n: formatNumber(response.data.total) }),
        () =>
          void remove
            .mutate({
              body: { ids, undo: true } as unknown as Body<typeof numbers.removeNumbersInBulk>,
            })
            .then((kept) => {
              if (kept)
                trackBatch({
                  id: kept.data.batchId,
                  label: t('Keeping {n} numbers', { n: formatNumber(kept.data.total) }),
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
    <div className={css.bar} role="toolbar" aria-label={t('Chosen numbers')}>
      <span className={css.count} role="status">
        {t('{n} chosen', { n: count })}
      </span>
      {!all && of.total > chosen.size && chosen.size >= shown && (
        <Button size="compact-sm" variant="subtle" onClick={() => setEverything(true)}>
          {t('Choose all {n} that match', { n: formatTotal(of) })}
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
            {t('Do not record calls')}
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
        {t('Choose none')}
      </Button>
      {asking === 'field' && (
        <BulkField
          count={count}
          busy={update.isPending}
          close={() => setAsking(null)}
          change={change}
        />
      )}
      {asking && asking !== 'field' && (
        <BulkEditDialog
          what={asking}
          count={count}
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
  count: n,
  busy,
  close,
  change,
}: {
  what: 'label' | 'tags' | 'template';
  count: string;
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
          ? t('Label {n} numbers', { n })
          : what === 'tags'
            ? t('Tags of {n} numbers', { n })
            : t('Apply a template to {n} numbers', { n })
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
              description={t('All of them get it. Empty takes the labels away.')}
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
              <TagsInput label={t('Take away')} value={away} onChange={setAway} maxTags={50} />
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
                list.response?.data.length === 0
                  ? t('There is no template yet')
                  : t('Choose a template')
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
              {what === 'template' ? t('Apply to {n}', { n }) : t('Change {n}', { n })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
