import { navigate } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { inboxHref } from '../list/use-inbox.ts';
import { openTeamDialog } from '../team/team-dialog.ts';

/**
 * Opens the snooze dialog. Snoozing moves a conversation out of the inbox, so its thread is closed
 * afterwards.
 */
export const openSnooze = (conversation: Conversation): void =>
  openTeamDialog('snooze', [conversation], () => {
    if (!conversation.snoozedUntil) navigate(inboxHref());
  });
