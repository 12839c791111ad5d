import { useEffect, useRef } from 'react';
import { readsOnly } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import type { ConversationActions } from '../use-conversation-actions.ts';

/**
 * Marks the conversation read when it is opened, and later whenever the page is visible and the
 * thread is at its end.
 */
export function useMarkRead(
  conversation: Conversation,
  actions: ConversationActions,
  atBottom: boolean,
): void {
  const latest = useRef({ conversation, acts: actions });
  latest.current = { conversation, acts: actions };
  const busy = useRef(false);
  // Opening shows unread items; items that arrive while the user has scrolled up aren't seen yet.
  const opened = useRef(false);
  const unread = conversation.numUnreadItems;
  useEffect(() => {
    if (unread === 0) {
      opened.current = true;
      return;
    }
    if (opened.current && !atBottom) return;
    const read = (): void => {
      // Staff who only read leave the person's inbox as it is.
      if (document.visibilityState !== 'visible' || busy.current || readsOnly()) return;
      busy.current = opened.current = true;
      void latest.current.acts.read([latest.current.conversation]).finally(() => {
        busy.current = false;
      });
    };
    // Delayed, so that passing through with the keyboard marks nothing as read.
    const timer = setTimeout(read, 600);
    document.addEventListener('visibilitychange', read);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [unread, atBottom]);
}
