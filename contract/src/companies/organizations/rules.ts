/** Roles that can be given to one person in several companies at once. */
export const bulkRoles = ['administrator', 'billing', 'reporting', 'user'] as const;

/** Why a company was left out of a bulk change of one person's role. */
export const bulkSkipReasons = {
  not_in_organization: 'This company isn’t in the organization.',
  is_owner: 'They own this company. Transfer its ownership first.',
  no_seat: 'The plan of this company includes no further person.',
  deactivated: 'They are deactivated in this company. Reactivate them there first.',
} as const;

export type BulkSkipReason = keyof typeof bulkSkipReasons;
