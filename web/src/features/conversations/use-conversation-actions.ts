import { useQueryClient } from '@tanstack/react-query';
import { conversations, team } from '#contract';
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
import type { Conversation, ConversationUpdate } from './cache-updates.ts';
import type { Assignee } from './team/use-teammates.ts';
import { archiveText, assignText, confirmDelete, snoozeText } from './action-texts.ts';
import {
  applyOptimistically,
  optimisticChanges,
  sendAction,
  type ConversationAction,
} from './optimistic-changes.ts';

type Conversations = readonly Conversation[];

/** Actions on one or more conversations: applied optimistically, rolled back on errors. */
export function useConversationActions() {
  const mayDelete = usePermission('inbox.delete');
  const updates = useOptimisticUpdates();
  const run = useSendAction(updates);
  const archiveOrRestore = (act: 'archive' | 'restore', list: Conversations): void => {
    const done = run(act, list);
    showUndoToast(
      archiveText(act, list.length),
      () => void done.then((was) => was && run(act === 'archive' ? 'restore' : 'archive', list)),
    );
  };
  return {
    mayDelete,
    assign: useAssign(updates),
    snooze: useSnooze(updates, (list) => run('restore', list)),
    archive: (list: Conversations) => archiveOrRestore('archive', list),
    restore: (list: Conversations) => archiveOrRestore('restore', list),
    read: (list: Conversations) =>
      run(
        'read',
        list.filter((c) => c.numUnreadItems > 0),
      ),
    unread: (list: Conversations) => run('unread', list),
    /** Deletes for everyone, after a confirmation. True when deleted. */
    remove: async (list: Conversations): Promise<boolean> => {
      if (!list.length || !mayDelete) return false;
      const sure = await confirmDelete(list);
      return sure && run('delete', list);
    },
  };
}
export type ConversationActions = ReturnType<typeof useConversationActions>;

/** What every action does around its request. */
function useOptimisticUpdates() {
  const cache = useQueryClient();
  const live = useLiveState() === 'on';
  const refetch = (): void =>
    invalidate(cache, conversations.listConversations.name, conversations.getConversation.name);
  return {
    refetch,
    apply: (
      reason: ConversationUpdate['reason'],
      to: (c: Conversation) => Conversation,
      list: Conversations,
    ): Undo => applyOptimistically(cache, reason, to, list),
    /**
     * Rolls back the optimistic change when the request fails. Returns the response, or null after
     * an error. Events update every screen, so the lists are refetched only after an error, without
     * a live connection, or if `shouldRefetch`.
     */
    finish: async <A>(undo: Undo, work: Promise<A>, shouldRefetch = false): Promise<A | null> => {
      const response = await work.catch(() => {
        undo();
        return null;
      });
      if (!live || !response || shouldRefetch) refetch();
      return response;
    },
  };
}
type OptimisticUpdates = ReturnType<typeof useOptimisticUpdates>;

/** Sends an action that has no values of its own. False after an error. */
function useSendAction({ apply, finish }: OptimisticUpdates) {
  return async (act: ConversationAction, list: Conversations): Promise<boolean> => {
    if (list.length === 0) return false;
    const change = act === 'delete' ? null : optimisticChanges[act];
    const undo = change ? apply(change.reason, change.to, list) : () => {};
    const done = await finish(
      undo,
      sendAction(act, list).then(() => true),
      act === 'delete',
    );
    return done !== null;
  };
}

/** Whose conversations are: a person, a team, or a person of a team. */
type Holder = Pick<Conversation, 'assignee' | 'team'>;
const holderKey = ({ assignee, team: of }: Holder): string => `${assignee?.id} ${of?.id}`;

/** Assigns conversations to a teammate or a team, or to no one. */
function useAssign({ apply, finish, refetch }: OptimisticUpdates) {
  const request = (
    list: Conversations,
    to: (c: Conversation) => Conversation,
    body: { userId: number | null; teamId?: number | null; from?: number | null },
  ) =>
    finish(
      apply('assigned', to, list),
      api(team.assignConversations, { body: { ids: list.map((c) => c.id), ...body } }),
    );
  /** Assigns them again to those who had them. */
  const undo = (list: Conversations): void => {
    for (const key of new Set(list.map(holderKey))) {
      const those = list.filter((c) => holderKey(c) === key);
      const { assignee = null, team: of = null } = those[0] ?? {};
      void request(those, (c) => ({ ...c, assignee, team: of }), {
        userId: assignee?.id ?? null,
        teamId: of?.id ?? null,
      });
    }
  };
  return async (list: Conversations, to: Assignee | null): Promise<void> => {
    const [one] = list;
    if (!one) return;
    const given = to && { id: to.id, name: to.name };
    const response = await request(
      list,
      // A person keeps the team that they are in: the event says whether they are.
      (c) =>
        to?.isTeam
          ? { ...c, assignee: null, team: given }
          : { ...c, assignee: given, team: given && c.team },
      {
        ...(to?.isTeam ? { userId: null, teamId: to.id } : { userId: to?.id ?? null }),
        // For a single conversation the server checks the previous assignee, because a teammate may
        // have been quicker.
        ...(list.length === 1 && { from: one.assignee?.id ?? null }),
      },
    );
    if (!response) return;
    const [taken] = response.data.taken;
    if (taken) {
      refetch();
      toast.warn(
        taken.by
          ? t('Already assigned to {who}', { who: taken.by.name })
          : t('A teammate just unassigned it. Try again.'),
      );
      return;
    }
    if (response.data.updated.length === 0) return;
    showUndoToast(assignText(to, list.length), () => undo(list));
  };
}

/** Snoozes conversations until a time; null brings them back now. */
function useSnooze(
  { apply, finish }: OptimisticUpdates,
  restore: (list: Conversations) => Promise<boolean>,
) {
  return async (list: Conversations, until: Date | null): Promise<void> => {
    if (list.length === 0) return;
    if (!until) {
      await restore(list);
      toast.success(archiveText('restore', list.length));
      return;
    }
    const snoozedUntil = until.toISOString();
    const done = await finish(
      apply('snoozed', (c) => ({ ...c, isArchived: true, snoozedUntil }), list),
      api(team.snoozeConversations, {
        body: { ids: list.map((c) => c.id), until: snoozedUntil },
      }),
    );
    if (done) showUndoToast(snoozeText(until, list.length), () => void restore(list));
  };
}
