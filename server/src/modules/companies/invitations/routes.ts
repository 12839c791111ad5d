import { invitations as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { acceptInvitation, openInvitationLink } from './accept-invitation.ts';
import { inviteMany } from './invite-many.ts';
import { invitePerson } from './invite-person.ts';
import { listInvitations } from './list-invitations.ts';
import { resendInvitation } from './resend-invitation.ts';
import { revokeInvitation } from './revoke-invitation.ts';

export const routes = defineRoutes(contract, {
  listInvitations: withoutTransaction((ctx, { query }) => listInvitations(ctx, query)),
  invitePerson: (ctx, { body }, http) => invitePerson(ctx, body, http),
  inviteMany: withoutTransaction((ctx, { body }, http) => inviteMany(ctx, body, http)),
  revokeInvitation: (ctx, { params }) => revokeInvitation(ctx, params.invitationId),
  resendInvitation: (ctx, { params }) => resendInvitation(ctx, params.invitationId),
  openInvitationLink: withoutTransaction((ctx, { params }) =>
    openInvitationLink(ctx, params.token),
  ),
  acceptInvitation: withoutTransaction((ctx, { params, body }, http) =>
    acceptInvitation(ctx, params.token, body, http),
  ),
});
