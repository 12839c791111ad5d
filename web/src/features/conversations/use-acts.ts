import { useQueryClient } from '@tanstack/react-query';
import { conversations } from '#contract';
import { teamwork } from '#contract';
import {
  ask,
  changeAnswers,
  confirm,
  flash,
  showUndo,
  t,
  touch,
  useLiveState,
  useMay,
  type Undo,
} from '#ui';
import { foldList, foldOne, type Conversation, type Updated } from './fold.ts';
import { sayWhen } from './later.ts';
import type { Teammate } from './team/use-teammates.ts';
import { nameOf } from './words.ts';

type Act = 'archive' | 'restore' | 'read' | 'unread' | 'delete';
const none = { messages: 0, calls: 0, voicemails: 0, faxes: 0 };
const change: Record<
  Exclude<Act, 'delete'>,
  { reason: Updated['reason']; to: (c: Conversation) => Conversation }
> = {
  archive: { reason: 'archived', to: (c) => ({ ...c, isArchived: true }) },
  restore: { reason: 'restored', to: (c) => ({ ...c, isArchived: false, snoozedUntil: null }) },
  read: { reason: 'read', to: (c) => ({ ...c, numUnreadItems: 0, unread: none }) },
  unread: {
    reason: 'unread',
    to: (c) => ({ ...c, numUnreadItems: Math.max(1, c.numUnreadItems) }),
  },
};

/** What one does with conversations, one or many: seen at once, undone when the server refuses. */
export function useActs() {
  const cache = useQueryClient();
  const live = useLiveState() === 'on';
  const mayDelete = useMay('inbox.delete');

  const show = (act: Exclude<Act, 'delete'>, list: readonly Conversation[]): Undo =>
    showAs(change[act].reason, change[act].to, list);
  const showAs = (
    reason: Updated['reason'],
    to: (c: Conversation) => Conversation,
    list: readonly Conversation[],
  ): Undo => {
    const undos = list.flatMap((c) => {
      const said: Updated = { conversationId: c.id, reason, conversation: to(c) };
      return [
        changeAnswers(cache, conversations.listConversations, (answer, input, page) =>
          foldList(answer, said, input, page),
        ),
        changeAnswers(cache, conversations.getConversation, (answer, input) =>
          foldOne(answer, said, input),
        ),
      ];
    });
    return () => undos.reverse().forEach((undo) => undo());
  };
  const tell = (act: Act, list: readonly Conversation[]): Promise<unknown> => {
    const [one] = list;
    if (list.length === 1 && one && act === 'archive')
      return ask(conversations.archiveConversation, { params: { id: one.id } });
    if (list.length === 1 && one && act === 'restore')
      return ask(conversations.restoreConversation, { params: { id: one.id } });
    if (list.length === 1 && one && act === 'read')
      return ask(conversations.readConversation, { params: { id: one.id } }, { quiet: true });
    return ask(conversations.bulkUpdateConversations, {
      body: { ids: list.map((c) => c.id), type: act },
    });
  };
  const run = async (act: Act, list: readonly Conversation[]): Promise<boolean> => {
    if (list.length === 0) return false;
    const undo = act === 'delete' ? () => {} : show(act, list);
    const done = await tell(act, list).then(
      () => true,
      () => {
        undo();
        return false;
      },
    );
    // The events tell everybody; without a connection nobody would tell this screen.
    if (!live || !done || act === 'delete')
      touch(cache, conversations.listConversations.name, conversations.getConversation.name);
    return done;
  };

  const put = (act: 'archive' | 'restore', list: readonly Conversation[]): void => {
    const done = run(act, list);
    const said =
      act === 'archive'
        ? list.length === 1
          ? t('Conversation archived')
          : t('{n} conversations archived', { n: list.length })
        : list.length === 1
          ? t('Conversation back in the inbox')
          : t('{n} conversations back in the inbox', { n: list.length });
    showUndo(
      said,
      () => void done.then((was) => was && run(act === 'archive' ? 'restore' : 'archive', list)),
    );
  };
  /** Seen at once; taken back when the server refuses. Answers what the server said. */
  const telling = async <A>(undo: Undo, work: Promise<A>): Promise<A | null> => {
    const answer = await work.catch(() => {
      undo();
      return null;
    });
    if (!live || !answer)
      touch(cache, conversations.listConversations.name, conversations.getConversation.name);
    return answer;
  };
  const give = (list: readonly Conversation[], person: Teammate | null, from?: number | null) =>
    telling(
      showAs('assigned', (c) => ({ ...c, assignee: person }), list),
      ask(teamwork.assignConversations, {
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
    // Of one conversation it matters who had it: a colleague may be quicker.
    const answer = await give(
      list,
      person,
      list.length === 1 ? (one.assignee?.id ?? null) : undefined,
    );
    if (!answer) return;
    const [taken] = answer.data.taken;
    if (taken) {
      touch(cache, conversations.listConversations.name, conversations.getConversation.name);
      flash.warn(
        taken.by
          ? t('{who} has it already', { who: taken.by.name })
          : t('A colleague gave it back meanwhile. Try again.'),
      );
      return;
    }
    if (answer.data.updated.length === 0) return;
    const said =
      list.length === 1
        ? person
          ? t('Given to {who}', { who: person.name })
          : t('Nobody has it now')
        : person
          ? t('{n} conversations given to {who}', { n: list.length, who: person.name })
          : t('{n} conversations are nobody’s now', { n: list.length });
    showUndo(said, () => {
      for (const holder of new Set(before.map(({ was }) => was?.id ?? null))) {
        const those = before.filter(({ was }) => (was?.id ?? null) === holder);
        void give(
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
      flash.success(
        list.length === 1
          ? t('Conversation back in the inbox')
          : t('{n} conversations back in the inbox', { n: list.length }),
      );
      return;
    }
    const done = await telling(
      showAs(
        'snoozed',
        (c) => ({ ...c, isArchived: true, snoozedUntil: until.toISOString() }),
        list,
      ),
      ask(teamwork.snoozeConversations, {
        body: { ids: list.map((c) => c.id), until: until.toISOString() },
      }),
    );
    if (done)
      showUndo(
        list.length === 1
          ? t('Snoozed until {when}', { when: sayWhen(until) })
          : t('{n} conversations snoozed until {when}', { n: list.length, when: sayWhen(until) }),
        () => void run('restore', list),
      );
  };
  return {
    mayDelete,
    assign,
    snooze,
    archive: (list: readonly Conversation[]) => put('archive', list),
    restore: (list: readonly Conversation[]) => put('restore', list),
    read: (list: readonly Conversation[]) =>
      run(
        'read',
        list.filter((c) => c.numUnreadItems > 0),
      ),
    unread: (list: readonly Conversation[]) => run('unread', list),
    /** For everyone and for good: asked first. Resolves to whether it happened. */
    remove: async (list: readonly Conversation[]): Promise<boolean> => {
      const [one] = list;
      if (!one || !mayDelete) return false;
      const title =
        list.length === 1
          ? t('Delete the conversation with {name}?', { name: nameOf(one) })
          : t('Delete {n} conversations?', { n: list.length });
      const sure = await confirm({
        title,
        body: t(
          'Everything in it disappears for everyone in the company. Call records stay. This cannot be undone.',
        ),
        verb: t('Delete'),
        danger: true,
      });
      return sure && run('delete', list);
    },
  };
}
export type Acts = ReturnType<typeof useActs>;
