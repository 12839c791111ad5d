import { registrationStatuses } from '../compliance/registration/lists.ts';
import { companySettingBounds } from '../settings/rules.ts';
import { isTollFree } from '../phone.ts';

/** Smallest and largest value of these fields, for schemas and inputs. */
export const numberBounds = {
  recording_retention_days: companySettingBounds.recording_retention_days,
  cooldown_minutes: [0, 43_200],
  /** Numbers of one area code in one purchase. */
  count: [1, 200],
  /** The new limit that a company asks for. */
  requested: [1, 100_000],
} as const;

/** B §3. */
export const numberKinds = { 1: 'Voice & SMS', 2: 'International', 3: 'Fax' } as const;

export const numberCategories = {
  1: 'Toll-Free Voice & SMS',
  2: 'Local Voice & SMS',
  3: 'Fax number',
  4: 'Bulk numbers',
} as const;

export const numberProviders = {
  1: 'Bandwidth',
  2: 'Somos',
  3: 'Twilio',
  4: 'Bandwidth Dashboard',
} as const;

/** A §9, B §5. `8**` means any of them. */
export const tollFreePrefixes = ['800', '888', '877', '866', '855', '844', '833'] as const;

export const matchModes = ['Contains', 'Starts with', 'Ends with'] as const;

export const routingTypes = [
  'standard',
  'simultaneous',
  'sequential',
  'geo',
  'voicemail',
  'in-app-calling',
] as const;

/** Seconds that a found number is reserved for the person who searched (A6.2). */
export const reservationSeconds = 600;

/** Seconds that clients cache search results (B §9); availability is checked again at purchase. */
export const searchCacheSeconds = 300;

/** A purchase of more numbers runs as a job (A6.2). */
export const maxImmediatePurchase = 20;

export const maxPurchase = 500;

/** Hours in which a removal can be undone, before the number returns to the carrier (A6.2). */
export const undoHours = 72;

export const numberStatuses = [
  'active',
  'pending',
  'porting',
  'suspended',
  'parked',
  'releasing',
  'released',
] as const;

/** Registration statuses of a number for business texting (A13). */
export const verificationStatuses = registrationStatuses;

export const numberSorts = [
  'number',
  'label',
  'status',
  'category',
  'routingType',
  'last_call_at',
  'last_message_at',
  'purchased_at',
  'created_at',
  'unread_messages_count',
] as const;

export const exportColumns = [
  'number',
  'label',
  'status',
  'category',
  'kind',
  'place',
  'routingType',
  'forwardNumber',
  'texts',
  'verification',
  'tags',
  'record',
  'unread',
  'last_call_at',
  'last_message_at',
  'last_used',
  'purchased_at',
  'monthly_price',
  'id',
] as const;

/** Days that calls to a replaced number reach the new one (A6.2). */
export const forwardDays = 30;

export const timelineTypes = [
  'purchased',
  'ported_in',
  'label_changed',
  'routing_changed',
  'schedule_changed',
  'template_applied',
  'pool_joined',
  'pool_left',
  'lease_started',
  'lease_ended',
  'swap_seen',
  'call',
  'message',
  'blocked_call',
  'sms_status_changed',
  'custom_field_changed',
  'tag_added',
  'tag_removed',
  'rotated',
  'suspended',
  'released',
  'kept',
  'settings_changed',
] as const;

export type TimelineType = (typeof timelineTypes)[number];

/** Seconds that clients cache a timeline (B §9). */
export const timelineFreshSeconds = 5;

/** Category of a number by its digits: toll-free 1, local 2. */
export const categoryOf = (number: string): 1 | 2 => (isTollFree(number) ? 1 : 2);
