export const itemKinds = [
  'message',
  'call',
  'voicemail',
  'fax',
  'note',
  'block',
  'scheduledmessage',
  'trackingmatch',
  'form',
] as const;

export type ItemKind = (typeof itemKinds)[number];

/** Kinds that make a conversation unread and appear on an activity list. */
export const activityKinds = ['call', 'message', 'voicemail', 'fax'] as const;

export type ActivityKind = (typeof activityKinds)[number];

/**
 * Delivery states (A5.2). `unknown`: the carrier never answered, so it is not sent again
 * automatically.
 */
export const deliveryStates = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'received',
  'scheduled',
  'canceled',
  'unknown',
] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** A §9: characters of a text, with or without pictures. */
export const messageLimit = 1000;

/** A10: what one message may carry. */
export const mediaLimits = { files: 10, localBytes: 3_500_000, tollFreeBytes: 525_000 } as const;

/** Earliest and latest time a text can be scheduled for, in seconds from now (A10). */
export const scheduleLimits = { soonest: 60, latest: 365 * 86_400 } as const;

/**
 * Kinds of automatic texts: confirmations of reserved keywords, keyword replies, automatic replies
 * of a number.
 */
export const automaticKinds = [
  'stop',
  'start',
  'help',
  'keyword',
  'after_hours',
  'text_back',
] as const;

export type AutomaticKind = (typeof automaticKinds)[number];

export const bulkTypes = [
  'archive',
  'restore',
  'read',
  'unread',
  'block',
  'unblock',
  'delete',
] as const;

export const noteModels = [
  'call',
  'message',
  'voicemail',
  'fax',
  'contact',
  'conversation',
  'number',
  'campaign',
] as const;

/**
 * Where a call or text came from: a source's key, and words of its medium, campaign, keyword and
 * page.
 */
export const sourceFields = [
  'source',
  'medium',
  'source_campaign',
  'keyword',
  'landing_page',
] as const;

export const activityFields = [
  'number_id',
  'direction',
  'party',
  'contact',
  'text',
  'status',
  'outcome',
  'delivery_state',
  'at',
  'duration',
  'unread',
  'has_media',
  'user_id',
  'archived',
  'callback_due',
  'campaign',
  'data_group',
  'phrase_list',
  ...sourceFields,
] as const;

export const conversationReasons = [
  'new_item',
  'item_updated',
  'read',
  'unread',
  'archived',
  'restored',
  'blocked',
  'unblocked',
  'deleted',
  'assigned',
  'snoozed',
  'woken',
  'opt_out',
] as const;
