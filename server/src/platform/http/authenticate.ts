import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnyEndpoint } from '#contract';
import type { Actor } from '../context.ts';
import { fail } from '../errors.ts';
import { sendUnauthenticated } from './send-error.ts';

/** What the HTTP layer needs of the product's sign-in. */
export interface Authenticator {
  /** The sender of this request; null without credentials, and for wrong or revoked ones. */
  authenticate(request: FastifyRequest): Promise<{ actor: Actor; by: 'cookie' | 'bearer' } | null>;
  /**
   * Whether the request proves that it comes from our own pages (its XSRF header is the signed
   * cookie).
   */
  hasValidXsrf(request: FastifyRequest): boolean;
  /**
   * @throws ApiError `confirmation.required` unless the person confirmed lately who they are;
   * `confirmation.needs_session` for keys and applications, which no person is behind
   */
  requireConfirmation(actor: Actor): Promise<void>;
  /** @throws ApiError if the request would set a session cookie for another site's page */
  checkSignInOrigin(request: FastifyRequest): void;
}

const anonymousActor: Actor = {
  kind: 'user',
  userId: 0,
  name: '',
  email: '',
  sessionId: 0,
  staff: false,
  adminMode: false,
  memberships: [],
};

/** To an endpoint for others a session is none, so that nothing follows from having it there. */
const isMeantFor = (audience: AnyEndpoint['audience'], { accountId }: Actor): boolean =>
  audience === 'both' || (audience === 'caddy') === (accountId !== undefined);

/**
 * Authenticates the sender before any of the body is read, and keeps the result for the handler.
 */
export function createAuthentication(authenticator: Authenticator) {
  const actors = new WeakMap<FastifyRequest, Actor>();
  return {
    /** The sender of this request; without one, an actor without a user. */
    actorOf: (request: FastifyRequest): Actor => actors.get(request) ?? anonymousActor,
    /** @throws ApiError `csrf_mismatch` */
    authenticate: async (
      endpoint: { isPublic: boolean; isWrite: boolean; audience: AnyEndpoint['audience'] },
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<unknown> => {
      const sent = await authenticator.authenticate(request);
      const found = sent && isMeantFor(endpoint.audience, sent.actor) ? sent : null;
      if (!endpoint.isPublic && !found) return sendUnauthenticated(reply, request);
      if (found?.by === 'cookie' && endpoint.isWrite && !authenticator.hasValidXsrf(request))
        fail('csrf_mismatch');
      // A program's token has no part in signing in: public endpoints don't know whose it is.
      const isAnonymous = endpoint.isPublic && found?.actor.scopes;
      if (found && !isAnonymous) actors.set(request, found.actor);
      return undefined;
    },
  };
}
