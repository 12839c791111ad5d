import { useQueryClient } from '@tanstack/react-query';
import { conversations } from '#contract';
import { teamwork } from '#contract';
import {
  api,
  toast,
  showUndoToast,
  t,
  invalidate,
  useLiveState,
  usePermission,
  type Undo,
} from '#ui';
import type { Conversation } from './cache-updates.ts';
import type { Teammate } from './team/use-teammates.ts';
import { archiveText, assignText, confirmDelete, snoozeText } from './action-texts.ts';
import {
  applyOptimistically,
  optimisticChanges,
  sendAction,
  type ConversationAction,
} from './optimistic-changes.ts';

/** Actions on one or more conversations: applied optimistically, rolled back on errors. */
export function useConversationActions() {
  const cache = useQueryClient();
  const live = useLiveState() === 'on';
  const mayDelete = usePermission('inbox.delete');

  const applyAction = (
    act: Exclude<ConversationAction, 'delete'>,
    list: readonly Conversation[],
  ): Undo =>
    applyOptimistically(cache, optimisticChanges[act].reason, optimisticChanges[act].to, list);
  const run = async (act: ConversationAction, list: readonly Conversation[]): Promise<boolean> => {
    if (list.length === 0) return false;
    const undo = act === 'delete' ? () => {} : applyAction(act, list);
    const done = await sendAction(act, list).then(
      () => true,
      () => {
        undo();
        return false;
      },
    );
    // Events update every screen; without a live connection the lists are refetched.
    if (!live || !done || act === 'delete')
      invalidate(cache, conversations.listConversations.name, conversations.getConversation.name);
    return done;
  };

  const archiveOrRestore = (act: 'archive' | 'restore', list: readonly Conversation[]): void => {
    const done = run(act, list);
    const message = archiveText(act, list.length);
    showUndoToast(
      message,
      () => void done.then((was) => was && run(act === 'archive' ? 'restore' : 'archive', list)),
    );
  };
  /**
   * Rolls back the optimistic change when the request fails. Returns the response, or null after an
   * error.
   */
  const finishOptimistic = async <A>(undo: Undo, work: Promise<A>): Promise<A | null> => {
    const response = await work.catch(() => {
      undo();
      return null;
    });
    if (!live || !response)
      invalidate(cache, conversations.listConversations.name, conversations.getConversation.name);
    return response;
  };
  const requestAssign = (
    list: readonly Conversation[],
    person: Teammate | null,
    from?: number | null,
  ) =>
    finishOptimistic(
      applyOptimistically(cache, 'assigned', (c) => ({ ...c, assignee: person }), list),
      api(teamwork.assignConversations, {
        body: {
          ids: list.map((c) => c.id),
          userId: person?.id ?? null,
          ...(from === undefined ? {} : { from }),
        },
      }),
    );
  const assign = async (list: readonly Conversation[], person: Teammate | null): Promise<void> => {
    const [one] = list;
    if (!one) return;
    const before = list.map((c) => ({ c, was: c.assignee }));
    // For a single conversation the server checks the previous assignee, because a teammate may
    // have been quicker.
    const response = await requestAssign(
      list,
      person,
      list.length === 1 ? (one.assignee?.id ?? null) : undefined,
    );
    if (!response) return;
    const [taken] = response.data.taken;
    if (taken) {
      invalidate(cache, conversations.listConversations.name, conversations.getConversation.name);
      toast.warn(
        taken.by
          ? t('Already assigned to {who}', { who: taken.by.name })
          : t('A teammate just unassigned it. Try again.'),
      );
      return;
    }
    if (response.data.updated.length === 0) return;
    const message = assignText(person, list.length);
    showUndoToast(message, () => {
      for (const assigneeId of new Set(before.map(({ was }) => was?.id ?? null))) {
        const those = before.filter(({ was }) => (was?.id ?? null) === assigneeId);
        void requestAssign(
          those.map(({ c }) => ({ ...c, assignee: person })),
          those[0]?.was ?? null,
        );
      }
    });
  };
  const snooze = async (list: readonly Conversation[], until: Date | null): Promise<void> => {
    if (list.length === 0) return;
    if (!until) {
      await run('restore', list);
      toast.success(archiveText('restore', list.length));
      return;
    }
    const done = await finishOptimistic(
      applyOptimistically(
        cache,
        'snoozed',
        (c) => ({ ...c, isArchived: true, snoozedUntil: until.toISOString() }),
        list,
      ),
      api(teamwork.snoozeConversations, {
        body: { ids: list.map((c) => c.id), until: until.toISOString() },
      }),
    );
    if (done) showUndoToast(snoozeText(until, list.length), () => void run('restore', list));
  };
  return {
    mayDelete,
    assign,
    snooze,
    archive: (list: readonly Conversation[]) => archiveOrRestore('archive', list),
    restore: (list: readonly Conversation[]) => archiveOrRestore('restore', list),
    read: (list: readonly Conversation[]) =>
      run(
        'read',
        list.filter((c) => c.numUnreadItems > 0),
      ),
    unread: (list: readonly Conversation[]) => run('unread', list),
    /** Deletes for everyone, after a confirmation. True when deleted. */
    remove: async (list: readonly Conversation[]): Promise<boolean> => {
      if (!list.length || !mayDelete) return false;
      const sure = await confirmDelete(list);
      return sure && run('delete', list);
    },
  };
}
export type ConversationActions = ReturnType<typeof useConversationActions>;
