import { useQueryClient } from '@tanstack/react-query';
import { conversations } from '#contract';
import { ask, changeAnswers, confirm, showUndo, t, touch, useLiveState, useMay, type Undo } from '#ui';
import { foldList, foldOne, type Conversation, type Updated } from './fold.ts';
import { nameOf } from './words.ts';

type Act = 'archive' | 'restore' | 'read' | 'unread' | 'delete';
const none = { messages: 0, calls: 0, voicemails: 0, faxes: 0 };
const change: Record<Exclude<Act, 'delete'>, { reason: Updated['reason']; to: (c: Conversation) => Conversation }> = {
  archive: { reason: 'archived', to: (c) => ({ ...c, isArchived: true }) },
  restore: { reason: 'restored', to: (c) => ({ ...c, isArchived: false }) },
  read: { reason: 'read', to: (c) => ({ ...c, numUnreadItems: 0, unread: none }) },
  unread: { reason: 'unread', to: (c) => ({ ...c, numUnreadItems: Math.max(1, c.numUnreadItems) }) },
};

/** What one does with conversations, one or many: seen at once, undone when the server refuses. */
export function useActs() {
  const cache = useQueryClient();
  const live = useLiveState() === 'on';
  const mayDelete = useMay('inbox.delete');

  const show = (act: Exclude<Act, 'delete'>, list: readonly Conversation[]): Undo => {
    const undos = list.flatMap((c) => {
      const said: Updated = { conversationId: c.id, reason: change[act].reason, conversation: change[act].to(c) };
      return [
        changeAnswers(cache, conversations.listConversations, (answer, input, page) => foldList(answer, said, input, page)),
        changeAnswers(cache, conversations.getConversation, (answer, input) => foldOne(answer, said, input)),
      ];
    });
    return () => undos.reverse().forEach((undo) => undo());
  };
  const tell = (act: Act, list: readonly Conversation[]): Promise<unknown> => {
    const [one] = list;
    if (list.length === 1 && one && act === 'archive') return ask(conversations.archiveConversation, { params: { id: one.id } });
    if (list.length === 1 && one && act === 'restore') return ask(conversations.restoreConversation, { params: { id: one.id } });
    if (list.length === 1 && one && act === 'read') return ask(conversations.readConversation, { params: { id: one.id } }, { quiet: true });
    return ask(conversations.bulkUpdateConversations, { body: { ids: list.map((c) => c.id), type: act } });
  };
  const run = async (act: Act, list: readonly Conversation[]): Promise<boolean> => {
    if (list.length === 0) return false;
    const undo = act === 'delete' ? () => {} : show(act, list);
    const done = await tell(act, list).then(() => true, () => { undo(); return false; });
    // The events tell everybody; without a connection nobody would tell this screen.
    if (!live || !done || act === 'delete') touch(cache, conversations.listConversations.name, conversations.getConversation.name);
    return done;
  };

  const put = (act: 'archive' | 'restore', list: readonly Conversation[]): void => {
    const done = run(act, list);
    const said = act === 'archive'
      ? list.length === 1 ? t('Conversation archived') : t('{n} conversations archived', { n: list.length })
      : list.length === 1 ? t('Conversation back in the inbox') : t('{n} conversations back in the inbox', { n: list.length });
    showUndo(said, () => void done.then((was) => was && run(act === 'archive' ? 'restore' : 'archive', list)));
  };
  return {
    mayDelete,
    archive: (list: readonly Conversation[]) => put('archive', list),
    restore: (list: readonly Conversation[]) => put('restore', list),
    read: (list: readonly Conversation[]) => run('read', list.filter((c) => c.numUnreadItems > 0)),
    unread: (list: readonly Conversation[]) => run('unread', list),
    /** For everyone and for good: asked first. Resolves to whether it happened. */
    remove: async (list: readonly Conversation[]): Promise<boolean> => {
      const [one] = list;
      if (!one || !mayDelete) return false;
      const title = list.length === 1 ? t('Delete the conversation with {name}?', { name: nameOf(one) }) : t('Delete {n} conversations?', { n: list.length });
      const sure = await confirm({ title, body: t('Everything in it disappears for everyone in the company. Call records stay. This cannot be undone.'), verb: t('Delete'), danger: true });
      return sure && run('delete', list);
    },
  };
}
export type Acts = ReturnType<typeof useActs>;
