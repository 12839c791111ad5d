import { useRef, useState } from 'react';
import {
  ActionIcon,
  Button,
  Group,
  SegmentedControl,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMessage2, IconPencil, IconTrash } from '@tabler/icons-react';
import { teamwork } from '#contract';
import type { CannedReply } from '#contract/conversations/teamwork/schemas';
import {
  bindFieldErrors,
  type Column,
  confirm,
  DataList,
  EmptyState,
  FilterBar,
  Modal,
  SearchField,
  showUndoToast,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useCommands,
  useFilters,
  usePermission,
  useApiMutation,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { fillTemplate, mergeTags } from '../team/canned-replies.ts';
import css from './SettingsCannedReplies.module.css';

const defaultFilters = { search: '', whose: 'all' };

/** Replies that “/” puts into a message: everybody's and one's own. */
export default function SettingsCannedReplies() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const may = usePermission('inbox.send');
  const [editing, setEditing] = useState<CannedReply | 'new' | null>(null);
  const { response, error, loading, refetch } = useApiQuery(teamwork.listCannedReplies, {
    query: { search: filters.search || null },
  });
  const { mutate: remove } = useApiMutation(teamwork.removeCannedReply, {
    invalidates: [teamwork.listCannedReplies],
  });
  const { mutate: add } = useApiMutation(teamwork.addCannedReply, {
    invalidates: [teamwork.listCannedReplies],
  });
  useCommands(
    may
      ? [
          {
            id: 'canned.new',
            title: t('New canned reply'),
            group: t('Actions'),
            run: () => setEditing('new'),
          },
        ]
      : [],
  );
  const forget = async (r: CannedReply): Promise<void> => {
    if (
      r.shared &&
      !r.mine &&
      !(await confirm({
        title: t('Remove /{word} for everyone?', { word: r.shortcut }),
        body: t('Messages written with it aren’t affected.'),
        confirmLabel: t('Remove'),
        danger: true,
      }))
    )
      return;
    if ((await remove({ params: { id: r.id } })) !== null)
      showUndoToast(
        t('Reply removed'),
        () =>
          void add({
            body: { shortcut: r.shortcut, title: r.title, body: r.body, shared: r.shared },
          }),
      );
  };
  const rows = response?.data.filter(
    (r) => filters.whose === 'all' || r.shared === (filters.whose === 'shared'),
  );
  const columns: Column<CannedReply>[] = [
    {
      key: 'word',
      title: t('Shortcut'),
      width: '132px',
      cell: (r) => <code className={css.word}>/{r.shortcut}</code>,
    },
    {
      key: 'reply',
      title: t('Reply'),
      width: 'minmax(0, 2fr)',
      cell: (r) => (
        <span className={css.reply}>
          <strong>{r.title}</strong>
          <span>{r.body}</span>
        </span>
      ),
    },
    {
      key: 'whose',
      title: t('Used for'),
      width: '116px',
      wideOnly: true,
      cell: (r) =>
        r.shared ? (
          <StatusBadge tone="info">{t('Everyone')}</StatusBadge>
        ) : (
          <StatusBadge>{t('Only you')}</StatusBadge>
        ),
    },
    { key: 'by', title: t('By'), width: '132px', wideOnly: true, cell: (r) => r.owner.name },
    {
      key: 'at',
      title: t('Changed'),
      width: '92px',
      wideOnly: true,
      cell: (r) => <Time at={r.updated_at} />,
    },
    {
      key: 'do',
      title: '',
      width: '76px',
      align: 'end',
      cell: (r) =>
        r.can_change && (
          <span className={css.acts}>
            <ActionIcon
              aria-label={t('Edit /{word}', { word: r.shortcut })}
              onClick={() => setEditing(r)}
            >
              <IconPencil size={16} stroke={1.75} />
            </ActionIcon>
            <ActionIcon
              aria-label={t('Remove /{word}', { word: r.shortcut })}
              onClick={() => void forget(r)}
            >
              <IconTrash size={16} stroke={1.75} />
            </ActionIcon>
          </span>
        ),
    },
  ];
  const button = may && <Button onClick={() => setEditing('new')}>{t('New reply')}</Button>;
  return (
    <SettingsFrame
      title={t('Canned replies')}
      layout="fill"
      description={t('Type / in the inbox to insert a reply.')}
      action={button}
      filters={
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <SearchField
            label={t('Search replies')}
            value={filters.search}
            onChange={(search) => set({ search })}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('Owner')}
            value={filters.whose}
            onChange={(whose) => set({ whose })}
            data={[
              { value: 'all', label: t('All') },
              { value: 'shared', label: t('Shared') },
              { value: 'own', label: t('Mine') },
            ]}
          />
        </FilterBar>
      }
    >
      <DataList
        label={t('Canned replies')}
        rows={rows}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(r) => r.id}
        rowLabel={(r) => r.title}
        columns={columns}
        comfortable
        empty={
          isFiltered ? (
            <EmptyState
              icon={<IconMessage2 size={28} stroke={1.5} />}
              title={t('No replies match')}
            >
              {t('Try fewer letters or clear the filters.')}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<IconMessage2 size={28} stroke={1.5} />}
              title={t('No canned replies yet')}
              action={button}
            >
              {t('Write a reply once and insert it into any message with two keys.')}
            </EmptyState>
          )
        }
      />
      {editing && (
        <ReplyDialog
          key={editing === 'new' ? 0 : editing.id}
          reply={editing === 'new' ? null : editing}
          close={() => setEditing(null)}
        />
      )}
    </SettingsFrame>
  );
}

const example = {
  name: 'Dana Reed',
  phone: '+12125550147',
  myName: 'Una User',
  company: 'Harbor Dental',
};
function ReplyDialog({ reply, close }: { reply: CannedReply | null; close: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useForm({
    initialValues: {
      shortcut: reply?.shortcut ?? '',
      title: reply?.title ?? '',
      body: reply?.body ?? '',
      shared: reply?.shared ?? false,
    },
    validate: {
      shortcut: (v) =>
        /^[\p{L}\p{N}_-]{1,30}$/u.test(v.trim())
          ? null
          : t('Use letters, digits, - and _, no spaces.'),
      title: (v) => (v.trim() ? null : t('Enter a name.')),
      body: (v) => (v.trim() ? null : t('Enter the reply.')),
    },
  });
  const around = {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [teamwork.listCannedReplies],
    onSuccess: close,
  };
  const { mutate: add, isPending: adding } = useApiMutation(teamwork.addCannedReply, {
    ...around,
    success: t('Reply saved'),
  });
  const { mutate: change, isPending: changing } = useApiMutation(teamwork.updateCannedReply, {
    ...around,
    success: t('Reply saved'),
  });
  const insert = (tag: string): void => {
    const el = field.current;
    const [from, to] = [
      el?.selectionStart ?? form.values.body.length,
      el?.selectionEnd ?? form.values.body.length,
    ];
    const piece = tag === 'first_name' ? '{{first_name|there}}' : `{{${tag}}}`;
    form.setFieldValue(
      'body',
      form.values.body.slice(0, from) + piece + form.values.body.slice(to),
    );
    requestAnimationFrame(() => {
      el?.focus();
      el?.setSelectionRange(from + piece.length, from + piece.length);
    });
  };
  return (
    <Modal
      opened
      onClose={close}
      title={reply ? `/${reply.shortcut}` : t('New canned reply')}
      size="md"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        noValidate
        onSubmit={form.onSubmit(
          (values) =>
            void (reply
              ? change({ params: { id: reply.id }, body: values })
              : add({ body: values })),
        )}
      >
        <Stack gap="sm">
          <TextInput
            label={t('Shortcut')}
            description={t('What you type after /')}
            leftSection="/"
            maxLength={30}
            data-autofocus
            {...form.getInputProps('shortcut')}
          />
          <TextInput label={t('Name')} maxLength={80} {...form.getInputProps('title')} />
          <div>
            <Textarea
              ref={field}
              label={t('Reply')}
              autosize
              minRows={3}
              maxRows={10}
              maxLength={1000}
              {...form.getInputProps('body')}
            />
            <div className={css.tags} role="group" aria-label={t('Insert')}>
              {mergeTags.map((tag) => (
                <button key={tag} type="button" className={css.tag} onClick={() => insert(tag)}>
                  {tag.replace('_', ' ')}
                </button>
              ))}
            </div>
          </div>
          {form.values.body.includes('{{') && (
            <p className={css.preview}>
              <span>{t('To Dana Reed')}</span>
              {fillTemplate(form.values.body, example)}
            </p>
          )}
          <Switch
            label={t('Share with everyone in the company')}
            {...form.getInputProps('shared', { type: 'checkbox' })}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              loading={adding || changing}
              disabled={reply !== null && !form.isDirty()}
            >
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
