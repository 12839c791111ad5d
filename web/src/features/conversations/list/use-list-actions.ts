import { navigate, t, useShortcuts } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { openTeamDialog } from '../team/team-dialog.ts';
import type { ConversationActions } from '../use-conversation-actions.ts';
import { conversationHref, inboxHref } from './use-inbox.ts';
import type { ListCursor } from './use-list-cursor.ts';
import type { Selection } from './use-selection.ts';

interface ListState {
  rows: readonly Conversation[];
  view: string;
  openId: number | null;
  open: Conversation | undefined;
  cursor: ListCursor;
  selection: Selection;
  actions: ConversationActions;
}

type ListActions = ReturnType<typeof useListActions>;

/** Actions on the selected conversations, else the one under the cursor, else the open one. */
export function useListActions(list: ListState) {
  const { rows, view, openId, open, cursor, selection, actions } = list;
  const targets = (): Conversation[] => {
    if (selection.selected.size > 0) return [...selection.selected.values()];
    const usesCursor = cursor.isInList() || openId === null;
    const target = usesCursor ? rows[cursor.index] : (open ?? rows.find((c) => c.id === openId));
    return target ? [target] : [];
  };
  const leave = (leaving: readonly Conversation[]): void => {
    selection.clear();
    cursor.leave(leaving);
  };
  return {
    /** Archives, or moves back to the inbox if all are archived. */
    archive: (): void => {
      const conversations = targets();
      if (conversations.length === 0) return;
      const restores = conversations.every((c) => c.isArchived);
      if (restores) actions.restore(conversations);
      else actions.archive(conversations);
      if (restores === (view === 'archived')) leave(conversations);
      else selection.clear();
    },
    assign: (): void => openTeamDialog('assign', targets(), selection.clear),
    snooze: (): void => {
      const conversations = targets();
      openTeamDialog('snooze', conversations, () => {
        if (view === 'snoozed') selection.clear();
        else leave(conversations);
      });
    },
    markRead: (): void => {
      void actions.read([...selection.selected.values()]);
      selection.clear();
    },
    markUnread: (): void => {
      const conversations = targets();
      if (conversations.length === 0) return;
      void actions.unread(conversations);
      selection.clear();
      if (openId !== null && conversations.some((c) => c.id === openId)) navigate(inboxHref());
    },
    remove: async (): Promise<void> => {
      const conversations = targets();
      if (await actions.remove(conversations)) leave(conversations);
    },
  };
}

/** Keyboard shortcuts: j and k move, Enter opens, x selects; e, s, a, u and # act. */
export function useListShortcuts(
  { rows, cursor, selection, actions }: ListState,
  acts: ListActions,
  onNew: () => void,
): void {
  const group = t('Inbox');
  const current = (): Conversation | undefined => rows[cursor.index];
  const openCurrent = (): void => {
    const row = current();
    if (row) navigate(conversationHref(row.id));
  };
  const toggleCurrent = (): void => {
    const row = current();
    if (row) selection.toggle(row, false);
  };
  const next = (): void => cursor.moveTo(cursor.index + 1);
  const previous = (): void => cursor.moveTo(Math.max(0, cursor.index - 1));
  const remove = (): void => void acts.remove();
  const removal = { keys: '#', label: t('Delete conversation'), group, run: remove };
  const clear = { keys: 'Escape', label: t('Clear selection'), group, run: selection.clear };
  useShortcuts([
    { keys: 'j', label: t('Next conversation'), group, run: next },
    { keys: 'k', label: t('Previous conversation'), group, run: previous },
    { keys: 'Enter', label: t('Open conversation'), group, run: openCurrent },
    { keys: 'e', label: t('Archive, or move to inbox'), group, run: acts.archive },
    { keys: 's', label: t('Snooze'), group, run: acts.snooze },
    { keys: 'a', label: t('Assign'), group, run: acts.assign },
    { keys: 'u', label: t('Mark unread'), group, run: acts.markUnread },
    { keys: 'x', label: t('Select conversation'), group, run: toggleCurrent },
    { keys: 'n', label: t('New conversation'), group, run: onNew },
    ...(actions.mayDelete ? [removal] : []),
    ...(selection.selected.size > 0 ? [clear] : []),
  ]);
}
