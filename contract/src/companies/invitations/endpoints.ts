import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';
import { invitedRoleOf } from './rules.ts';

export const listInvitations = endpoint<typeof operations.listInvitations>({
  name: 'listInvitations',
  method: 'GET',
  path: '/invites',
  permission: 'users.edit',
  // Of several companies at once, so each is checked by the action.
  company: 'none',
});

export const invitePerson = endpoint<typeof operations.invitePerson>({
  name: 'invitePerson',
  method: 'POST',
  path: '/company/{companyId}/invite',
  permission: 'users.edit',
  company: 'path',
  confirms: (body) => body.role === 'administrator' || body.is_org_administrator === true,
});

/** A check changes nothing, so only sending asks who one is. */
export const inviteMany = endpoint<typeof operations.inviteMany>({
  name: 'inviteMany',
  method: 'POST',
  path: '/company/{companyId}/invites/bulk',
  permission: 'users.edit',
  company: 'path',
  confirms: ({ check, rows }) =>
    !check && rows.some(({ role }) => invitedRoleOf(role) === 'administrator'),
});

export const revokeInvitation = endpoint<typeof operations.revokeInvitation>({
  name: 'revokeInvitation',
  method: 'DELETE',
  path: '/company/{companyId}/invite/{invitationId}',
  permission: 'users.edit',
  company: 'path',
});

export const resendInvitation = endpoint<typeof operations.resendInvitation>({
  name: 'resendInvitation',
  method: 'GET',
  path: '/company/{companyId}/invite/{invitationId}/resend',
  permission: 'users.edit',
  company: 'path',
});

export const openInvitationLink = endpoint<typeof operations.openInvitationLink>({
  name: 'openInvitationLink',
  method: 'GET',
  path: '/invites/accept/{token}',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});

export const acceptInvitation = endpoint<typeof operations.acceptInvitation>({
  name: 'acceptInvitation',
  method: 'POST',
  path: '/invites/accept/{token}',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});
