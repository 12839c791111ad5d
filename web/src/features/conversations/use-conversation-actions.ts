import { useQueryClient } from '@tanstack/react-query';
import { conversations } from '#contract';
import { teamwork } from '#contract';
import {
  api,
  optimisticUpdate,
  confirm,
  toast,
  showUndoToast,
  t,
  invalidate,
  useLiveState,
  usePermission,
  type Undo,
} from '#ui';
import {
  updateConversationList,
  updateConversation,
  type Conversation,
  type ConversationUpdate,
} from './cache-updates.ts';
import { formatWhen } from './scheduling/schedule-times.ts';
import type { Teammate } from './team/use-teammates.ts';
import { conversationName } from './labels.ts';

type ConversationAction = 'archive' | 'restore' | 'read' | 'unread' | 'delete';
const noUnread = { messages: 0, calls: 0, voicemails: 0, faxes: 0 };
const optimisticChanges: Record<
  Exclude<ConversationAction, 'delete'>,
  { reason: ConversationUpdate['reason']; to: (c: Conversation) => Conversation }
> = {
  archive: { reason: 'archived', to: (c) => ({ ...c, isArchived: true }) },
  restore: { reason: 'restored', to: (c) => ({ ...c, isArchived: false, snoozedUntil: null }) },
  read: { reason: 'read', to: (c) => ({ ...c, numUnreadItems: 0, unread: noUnread }) },
  unread: {
    reason: 'unread',
    to: (c) => ({ ...c, numUnreadItems: Math.max(1, c.numUnreadItems) }),
  },
};

/** Actions on one or more conversations: applied optimistically, rolled back on errors. */
export function useConversationActions() {
  const cache = useQueryClient();
  const live = useLiveState() === 'on';
  const mayDelete = usePermission('inbox.delete');

  const applyAction = (
    act: Exclude<ConversationAction, 'delete'>,
    list: readonly Conversation[],
  ): Undo => applyOptimistically(optimisticChanges[act].reason, optimisticChanges[act].to, list);
  const applyOptimistically = (
    reason: ConversationUpdate['reason'],
    to: (c: Conversation) => Conversation,
    list: readonly Conversation[],
  ): Undo => {
    const undos = list.flatMap((c) => {
      const update: ConversationUpdate = { conversationId: c.id, reason, conversation: to(c) };
      return [
        optimisticUpdate(cache, conversations.listConversations, (response, input, page) =>
          updateConversationList(response, update, input, page),
        ),
        optimisticUpdate(cache, conversations.getConversation, (response, input) =>
          updateConversation(response, update, input),
        ),
      ];
    });
    return () => undos.reverse().forEach((undo) => undo());
  };
  const sendAction = (act: ConversationAction, list: readonly Conversation[]): Promise<unknown> => {
    const [one] = list;
    if (list.length === 1 && one && act === 'archive')
      return api(conversations.archiveConversation, { params: { id: one.id } });
    if (list.length === 1 && one && act === 'restore')
      return api(conversations.restoreConversation, { params: { id: one.id } });
    if (list.length === 1 && one && act === 'read')
      return api(conversations.readConversation, { params: { id: one.id } }, { silent: true });
    return api(conversations.bulkUpdateConversations, {
      body: { ids: list.map((c) => c.id), type: act },
    });
  };
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
    const message =
      act === 'archive'
        ? list.length === 1
          ? t('Conversation archived')
          : t('{n, plural, one {# conversation archived} other {# conversations archived}}', {
              n: list.length,
            })
        : list.length === 1
          ? t('Conversation moved to inbox')
          : t(
              '{n, plural, one {# conversation moved to inbox} other {# conversations moved to inbox}}',
              { n: list.length },
            );
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
      applyOptimistically('assigned', (c) => ({ ...c, assignee: person }), list),
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
    const message =
      list.length === 1
        ? person
          ? t('Assigned to {who}', { who: person.name })
          : t('Conversation unassigned')
        : person
          ? t('{n, plural, one {# conversation} other {# conversations}} assigned to {who}', {
              n: list.length,
              who: person.name,
            })
          : t('{n, plural, one {# conversation unassigned} other {# conversations unassigned}}', {
              n: list.length,
            });
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
      toast.success(
        list.length === 1
          ? t('Conversation moved to inbox')
          : t(
              '{n, plural, one {# conversation moved to inbox} other {# conversations moved to inbox}}',
              { n: list.length },
            ),
      );
      return;
    }
    const done = await finishOptimistic(
      applyOptimistically(
        'snoozed',
        (c) => ({ ...c, isArchived: true, snoozedUntil: until.toISOString() }),
        list,
      ),
      api(teamwork.snoozeConversations, {
        body: { ids: list.map((c) => c.id), until: until.toISOString() },
      }),
    );
    if (done)
      showUndoToast(
        list.length === 1
          ? t('Snoozed until {when}', { when: formatWhen(until) })
          : t('{n, plural, one {# conversation} other {# conversations}} snoozed until {when}', {
              n: list.length,
              when: formatWhen(until),
            }),
        () => void run('restore', list),
      );
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
      const [one] = list;
      if (!one || !mayDelete) return false;
      const title =
        list.length === 1
          ? t('Delete the conversation with {name}?', { name: conversationName(one) })
          : t('{n, plural, one {Delete # conversation?} other {Delete # conversations?}}', {
              n: list.length,
            });
      const sure = await confirm({
        title,
        body: t(
          'Everything in it is deleted for everyone in the company. Call records stay. This can’t be undone.',
        ),
        confirmLabel: t('Delete'),
        danger: true,
      });
      return sure && run('delete', list);
    },
  };
}
export type ConversationActions = ReturnType<typeof useConversationActions>;
