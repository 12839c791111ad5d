/** Roles a person can be invited with (A18.3: not owner). */
export const invitedRoles = ['administrator', 'billing', 'reporting', 'user'] as const;

export const invitationStatuses = ['pending', 'accepted', 'expired', 'revoked'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

/** How long a link works after it was sent (A18.3). */
export const INVITATION_DAYS = 7;
/** How often an invitation can be resent within 24 hours (A18.3). */
export const RESENDS_PER_DAY = 5;
/** Characters of the inviter's message (A18.3). */
export const INVITATION_MESSAGE_LENGTH = 500;

interface InvitationDates {
  accepted_at: Date | null;
  revoked_at: Date | null;
  expires_at: Date;
}
/** Where an invitation is in its life at a time. */
export function invitationStatus(i: InvitationDates, now: Date): InvitationStatus {
  if (i.accepted_at) return 'accepted';
  if (i.revoked_at) return 'revoked';
  return i.expires_at <= now ? 'expired' : 'pending';
}

/** How many people can be invited at once. */
export const mostInvitedAtOnce = 200;

/**
 * The role that a file names, by its name or ID in any case; none: user. Null: no role one can
 * invite with.
 */
export function invitedRoleOf(text: string): (typeof invitedRoles)[number] | null {
  const wanted = text.trim().toLowerCase();
  return wanted === '' ? 'user' : (invitedRoles.find((role) => role === wanted) ?? null);
}
