import { identity, type Answer, type Body, type oauthProvider as contract } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken } from '../../../platform/secrets.ts';
import { requireRecentConfirmation } from '../mfa/confirm-identity.ts';
import { prepareForProvider } from './mount.ts';
import { providerOf } from './provider.ts';
import { GRANT_DAYS, isAllowed, scopesWithin } from './rules.ts';
import { clientByClientId, insertAuthorization } from './store-oauth.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * The request that the browser's cookie names, its program and the companies it may ask for.
 * @throws ApiError `oauth.request_expired`
 */
async function pendingRequest(ctx: Ctx, { request, reply }: Http) {
  const provider = await providerOf({ ...ctx, now: () => ctx.now });
  prepareForProvider(request.raw, ctx.settings.publicUrl);
  const pending = await provider
    .interactionDetails(request.raw, reply.raw)
    .catch(() => fail('oauth.request_expired'));
  const { client_id: clientId, redirect_uri: redirectUri, scope } = pending.params;
  const client = await provider.Client.find(String(clientId));
  if (!client) fail('oauth.request_expired');
  const own = await clientByClientId(ctx.db.unscoped, client.clientId);
  const requested = String(scope ?? '').split(' ');
  const scopes = identity.scopes.filter((name) => requested.includes(name));
  const companies = ctx.actor.memberships
    .filter(
      (access) => access.role !== 'deactivated' && !access.blockedBy && isAllowed(access, own),
    )
    .map((access) => ({ access, scopes: scopesWithin(access, scopes) }));
  return {
    ...{ provider, client, own, companies, requested },
    redirectUri: String(redirectUri),
    scopes,
  };
}

type PendingRequest = Awaited<ReturnType<typeof pendingRequest>>;

/** What the program asks for, for the consent screen. */
export async function getConsentContext(
  ctx: Ctx,
  http: Http,
): Promise<Answer<typeof contract.getConsentContext>> {
  const { client, own, companies, scopes, requested, redirectUri } = await pendingRequest(
    ctx,
    http,
  );
  return {
    data: {
      application: client.clientName ?? client.clientId,
      redirect_host: new URL(redirectUri).host,
      registered_itself: !own,
      scopes,
      identity: [
        ...(requested.includes('profile') ? (['name'] as const) : []),
        ...(requested.includes('email') ? (['email'] as const) : []),
      ],
      companies: companies.map((one) => ({ id: one.access.companyId, scopes: one.scopes })),
    },
  };
}

/**
 * Allows or denies. Allowing binds the grant to the signed-in person and to the one company they
 * chose.
 */
export async function decideConsent(
  ctx: Ctx,
  body: Body<typeof contract.decideConsent>,
  http: Http,
): Promise<Answer<typeof contract.decideConsent>> {
  const pending = await pendingRequest(ctx, http);
  const { provider } = pending;
  const { raw } = http.request;
  if (!body.allow) {
    const denied = { error: 'access_denied', error_description: 'The person denied access' };
    return {
      data: { redirect_to: await provider.interactionResult(raw, http.reply.raw, denied) },
    };
  }
  const chosen =
    pending.companies.find(({ access }) => access.companyId === body.for_company_id) ?? notFound();
  if (chosen.scopes.includes('admin')) await requireRecentConfirmation(ctx);
  const grantId = await saveGrant(ctx, pending, chosen);
  const result = {
    login: { accountId: String(ctx.actor.userId), remember: false },
    consent: { grantId },
  };
  return { data: { redirect_to: await provider.interactionResult(raw, http.reply.raw, result) } };
}

async function saveGrant(
  ctx: Ctx,
  { provider, client, requested }: PendingRequest,
  { access: { companyId, roles }, scopes }: PendingRequest['companies'][number],
): Promise<string> {
  const grant = new provider.Grant({
    accountId: String(ctx.actor.userId),
    clientId: client.clientId,
  });
  const ours: readonly string[] = identity.scopes;
  grant.addOIDCScope(requested.filter((name) => name && !ours.includes(name)).join(' '));
  const resource = `${ctx.settings.publicUrl}/api`;
  grant.addResourceScope(resource, scopes.join(' '));
  // What their role lacks was answered, too: otherwise the provider would ask again and again.
  const refused = identity.scopes.filter((one) => requested.includes(one) && !scopes.includes(one));
  if (refused.length) grant.rejectResourceScope(resource, refused.join(' '));
  const grantId = await grant.save();
  await ctx.actingIn(companyId, roles).transaction(async (tx) => {
    // The authorization belongs to the person, so the system role writes it.
    await ctx.db.systemTransaction((system) =>
      insertAuthorization(system, {
        grant_hash: hashToken(grantId),
        client_id: client.clientId,
        client_name: client.clientName ?? client.clientId,
        person_id: ctx.actor.userId,
        company_id: companyId,
        scopes: [...scopes],
        created_at: ctx.now,
        expires_at: new Date(ctx.now.getTime() + GRANT_DAYS * 86_400_000),
      }),
    );
    await audit(tx, 'oauth.authorized', `application:${client.clientId}`, { after: { scopes } });
  });
  return grantId;
}
