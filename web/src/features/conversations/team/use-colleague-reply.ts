import { useEffect, useState } from 'react';
import { conversations } from '#contract';
import { useLiveEvent, useUser } from '#ui';

/**
 * The teammate who replied since the user began to write: warns before a second reply is sent.
 * Null: nobody, or the warning was seen.
 */
export function useColleagueReply(
  conversationId: number,
  isWriting: boolean,
): { answered: string | null; seen: () => void } {
  const me = useUser()?.id;
  const [answered, setAnswered] = useState<string | null>(null);
  useLiveEvent(conversations.conversationUpdated, ({ conversationId: about, reason, item }) => {
    if (
      about === conversationId &&
      reason === 'new_item' &&
      isWriting &&
      item?.kind === 'message' &&
      !item.isInbound &&
      item.actor &&
      item.actor.userId !== me
    )
      setAnswered(item.actor.name);
  });
  useEffect(() => {
    if (!isWriting) setAnswered(null);
  }, [isWriting]);
  return { answered, seen: () => setAnswered(null) };
}
