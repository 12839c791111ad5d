import { notifications } from '#contract';
import { useApiQuery, usePermission } from '#ui';

/** How much waits unread in the selected company, without what one has muted; 0 for those who see no inbox. Live. */
export function useUnread(): number {
  const mayRead = usePermission('inbox.view');
  const { response } = useApiQuery(
    notifications.getNotificationCounts,
    {},
    { enabled: mayRead, staleTime: 30_000, silent: true },
  );
  return mayRead ? (response?.data.total ?? 0) : 0;
}
