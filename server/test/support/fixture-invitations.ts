import { invitations, type AnyEndpoint } from '#contract';

/** Invites a person who has no account; returns the invitation's ID. */
export const createInvitation = async (
  make: (e: AnyEndpoint, input?: unknown) => Promise<{ id: number }>,
  of: (more?: object) => { params: object },
): Promise<number> =>
  (
    await make(invitations.invitePerson, {
      ...of(),
      body: { email: 'nina@invited.test', role: 'user' },
    })
  ).id;
