import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const presenceChanged = event<typeof payloads.presenceChanged>({
  name: 'conversation.presence',
  channel: 'conversations',
  about: ['numberId'],
  invalidates: ['listPresence'],
});

export const cannedRepliesChanged = event<typeof payloads.cannedRepliesChanged>({
  name: 'canned_replies.changed',
  channel: 'companies',
  invalidates: ['listCannedReplies'],
});

export const viewsChanged = event<typeof payloads.viewsChanged>({
  name: 'inbox_views.changed',
  channel: 'companies',
  invalidates: ['listInboxViews'],
});

export const automaticTextsChanged = event<typeof payloads.automaticTextsChanged>({
  name: 'number.automatic_texts_changed',
  channel: 'companies',
  about: ['numberId'],
  invalidates: ['getAutomaticTexts'],
});

/**
 * A colleague mentioned the person in a note or assigned a conversation. On the person's channel,
 * and for notifications.
 */
export const teamNotification = event<typeof payloads.teamNotification>({
  name: 'team-news',
  channel: 'users',
  about: ['userId'],
});
