import { useState } from 'react';
import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { IconMessage2, IconPencil, IconTrash } from '@tabler/icons-react';
import { team } from '#contract';
import type { CannedReply } from '#contract/conversations/team/schemas';
import {
  type Column,
  confirm,
  DataList,
  lazyComponent,
  showUndoToast,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCommands,
  useFilters,
  usePermission,
} from '#ui';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { showTagNames } from '../canned-replies/canned-replies.ts';
import css from './SettingsCannedReplies.module.css';

const ReplyDialog = lazyComponent(
  async () => (await import('../canned-replies/ReplyDialog.tsx')).ReplyDialog,
);

const defaultFilters = { search: '', whose: 'all' };

/** Replies that “/” inserts into a message: the company's and the user's own. */
export default function SettingsCannedReplies() {
  const list = useFilters(defaultFilters);
  const { filters } = list;
  const canEdit = usePermission('inbox.send');
  const [editing, setEditing] = useState<CannedReply | 'new' | null>(null);
  const { response, error, loading, refetch } = useApiQuery(team.listCannedReplies, {
    query: { search: filters.search || null },
  });
  const remove = useRemoveReply();
  const add = (): void => setEditing('new');
  const command = { id: 'canned.new', title: t('New canned reply'), group: t('Actions'), run: add };
  useCommands(canEdit ? [command] : []);
  const rows = response?.data.filter(
    (reply) => filters.whose === 'all' || reply.shared === (filters.whose === 'shared'),
  );
  const addButton = canEdit && <Button onClick={add}>{t('New reply')}</Button>;
  return (
    <SettingsFrame
      title={t('Canned replies')}
      layout="fill"
      description={t('Type / in the inbox to insert a reply.')}
      action={addButton}
      filters={<ReplyFilters list={list} />}
    >
      <DataList
        label={t('Canned replies')}
        rows={rows}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(reply) => reply.id}
        rowLabel={(reply) => reply.title}
        columns={[...columns, actionsColumn(setEditing, remove)]}
        comfortable
        empty={
          <ListEmpty
            list={list}
            icon={IconMessage2}
            noMatch={t('No replies match')}
            title={t('No canned replies yet')}
            action={addButton}
          >
            {t('Write a reply once and insert it into any message with two keys.')}
          </ListEmpty>
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

function ReplyFilters({
  list: { filters, set, clear, isFiltered },
}: {
  list: ReturnType<typeof useFilters<typeof defaultFilters>>;
}) {
  return (
    <ListFilters list={{ filters, set, clear, isFiltered }} label={t('Search replies')}>
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
    </ListFilters>
  );
}

/**
 * Deletes a reply, with a confirmation when it is a shared one by another user; "Undo" adds it
 * again.
 */
function useRemoveReply(): (reply: CannedReply) => Promise<void> {
  const options = { invalidates: [team.listCannedReplies] };
  const { mutate: remove } = useApiMutation(team.removeCannedReply, options);
  const { mutate: add } = useApiMutation(team.addCannedReply, options);
  return async (reply) => {
    const { shortcut, title, body, shared } = reply;
    const needsConfirmation = shared && !reply.mine;
    const confirmed =
      !needsConfirmation ||
      (await confirm({
        title: t('Remove /{word} for everyone?', { word: shortcut }),
        body: t('Messages written with it aren’t affected.'),
        confirmLabel: t('Remove'),
        danger: true,
      }));
    if (!confirmed || (await remove({ params: { id: reply.id } })) === null) return;
    showUndoToast(t('Reply removed'), () => void add({ body: { shortcut, title, body, shared } }));
  };
}

const columns: Column<CannedReply>[] = [
  {
    key: 'word',
    title: t('Shortcut'),
    width: '132px',
    cell: (reply) => <code className={css.word}>/{reply.shortcut}</code>,
  },
  {
    key: 'reply',
    title: t('Reply'),
    width: 'minmax(0, 2fr)',
    cell: (reply) => (
      <span className={css.reply}>
        <strong>{reply.title}</strong>
        <span>{showTagNames(reply.body)}</span>
      </span>
    ),
  },
  {
    key: 'whose',
    title: t('Used for'),
    width: '116px',
    wideOnly: true,
    cell: (reply) =>
      reply.shared ? (
        <StatusBadge tone="info">{t('Everyone')}</StatusBadge>
      ) : (
        <StatusBadge>{t('Only you')}</StatusBadge>
      ),
  },
  {
    key: 'by',
    title: t('By'),
    width: '132px',
    wideOnly: true,
    cell: (reply) => reply.owner.name,
  },
  {
    key: 'at',
    title: t('Changed'),
    width: '92px',
    wideOnly: true,
    cell: (reply) => <Time at={reply.updated_at} />,
  },
];

const actionsColumn = (
  onEdit: (reply: CannedReply) => void,
  onRemove: (reply: CannedReply) => Promise<void>,
): Column<CannedReply> => ({
  key: 'do',
  title: '',
  width: '76px',
  align: 'end',
  cell: (reply) =>
    reply.can_change && (
      <span className={css.acts}>
        <ActionIcon
          aria-label={t('Edit /{word}', { word: reply.shortcut })}
          onClick={() => onEdit(reply)}
        >
          <IconPencil size={16} stroke={1.75} />
        </ActionIcon>
        <ActionIcon
          aria-label={t('Remove /{word}', { word: reply.shortcut })}
          onClick={() => void onRemove(reply)}
        >
          <IconTrash size={16} stroke={1.75} />
        </ActionIcon>
      </span>
    ),
});
