import { navigate } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { inboxHref } from '../list/use-inbox.ts';
import { openTeamDialog } from '../team/team-dialog.ts';

/** A conversation that is snoozed for the first time leaves the inbox, and so does its page. */
export const openSnooze = (conversation: Conversation): void =>
  openTeamDialog('snooze', [conversation], () => {
    if (!conversation.snoozedUntil) navigate(inboxHref());
  });
