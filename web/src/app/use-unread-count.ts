import { notifications } from '#contract';
import { useApiQuery, usePermission } from '#ui';

/**
 * The unread count of the selected company, without muted conversations, updated by events; 0 for
 * people without an inbox.
 */
export function useUnread(): number {
  const mayRead = usePermission('inbox.view');
  const { response } = useApiQuery(
    notifications.getNotificationCounts,
    {},
    { enabled: mayRead, staleTime: 30_000, silent: true },
  );
  return mayRead ? (response?.data.total ?? 0) : 0;
}
