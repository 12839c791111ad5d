import { conversations } from '#contract';
import { useAsk, useMay } from '#ui';

/** How much waits unread in the selected company; 0 for those who see no inbox. Live: every conversation-updated counts anew. */
export function useUnread(): number {
  const mayRead = useMay('inbox.view');
  const { answer } = useAsk(conversations.listConversations, { query: { perPage: 1, counts: 1, isArchived: 0 } as never }, { when: mayRead, freshMs: 30_000, quiet: true });
  const counts = (answer?.meta as { counts?: { total?: number } } | undefined)?.counts;
  return mayRead ? counts?.total ?? 0 : 0;
}
