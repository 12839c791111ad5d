import { notifications } from '#contract';
import { useAsk, useMay } from '#ui';

/** How much waits unread in the selected company, without what one has muted; 0 for those who see no inbox. Live. */
export function useUnread(): number {
  const mayRead = useMay('inbox.view');
  const { answer } = useAsk(
    notifications.getNotificationCounts,
    {},
    { when: mayRead, freshMs: 30_000, quiet: true },
  );
  return mayRead ? (answer?.data.total ?? 0) : 0;
}
