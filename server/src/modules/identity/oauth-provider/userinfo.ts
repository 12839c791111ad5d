import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../../platform/context.ts';
import { findAccount, providerOf } from './provider.ts';

/**
 * Answers OpenID's userinfo: who the person of an access token is, as far as they agreed to say. Our
 * tokens are for our API, so the provider's own endpoint would refuse them.
 */
export async function answerUserinfo(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const provider = await providerOf(services);
  const [, bearer] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const token = bearer ? await provider.AccessToken.find(bearer) : undefined;
  const grant = token?.grantId ? await provider.Grant.find(token.grantId) : undefined;
  const account = token && grant ? await findAccount(services, token.accountId) : null;
  void reply.header('cache-control', 'no-store');
  if (!token || !grant || !account) return refuse(services, reply, 401, 'invalid_token');
  const scopes = grant.getOIDCScope().split(' ');
  if (!scopes.includes('openid')) return refuse(services, reply, 403, 'insufficient_scope');
  await allowOrigin(services, request, reply, token.clientId);
  const { sub, email, ...name } = await account.claims();
  return reply.send({
    sub,
    ...(scopes.includes('email') && { email }),
    ...(scopes.includes('profile') && name),
  });
}

function refuse(
  { settings }: Services,
  reply: FastifyReply,
  status: 401 | 403,
  error: string,
): FastifyReply {
  const metadata = `${settings.publicUrl}/.well-known/oauth-protected-resource/api`;
  return reply
    .code(status)
    .header('www-authenticate', `Bearer error="${error}", resource_metadata="${metadata}"`)
    .send({ error });
}

/** Pages of the program itself may read the answer. */
async function allowOrigin(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  clientId: string | undefined,
): Promise<void> {
  const { origin } = request.headers;
  if (!origin || !clientId) return;
  const client = await (await providerOf(services)).Client.find(clientId);
  if ((client?.redirectUris ?? []).some((uri) => new URL(uri).origin === origin))
    void reply.headers({ 'access-control-allow-origin': origin, vary: 'origin' });
}
