import type { Answer, Body, sso as contract } from '#contract';
import { ssoDomainGraceHours } from '#contract/companies/sso/rules';
import type { ProviderProblem } from '../../../gateways/sign-in.ts';
import type { Ctx } from '../../../platform/context.ts';
import { ownershipRecord } from '../../../platform/dns-records.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { seal } from '../../../platform/secrets.ts';
import type { Settings } from '../../../platform/settings.ts';
import {
  auditEverywhere,
  changeOrganization,
  requireOrganization,
} from '../organizations/in-organization.ts';
import { mailAdministrators } from './mail-administrators.ts';
import { describeScim } from '../scim/describe-scim.ts';
import { describeOnly, followRequirement } from './describe-only.ts';
import { accessRules } from './store-sign-in.ts';
import {
  connectionOf,
  deleteConnection,
  domainsOf,
  putConnection,
  type DomainRow,
} from './store.ts';

// The system role: single sign-on is of organizations, above companies; dispatch has checked that the
// actor administers this one.

type Sso = Answer<typeof contract.getSso>['data'];

/** Where an organization's provider sends people back to. */
export const ssoRedirectUri = (
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  organizationId: number,
) => `${publicUrl}/api/oauth/sso/${organizationId}/callback`;

/** How an organization's people sign in through its own provider. */
export async function getSso(ctx: Ctx): Promise<{ data: Sso }> {
  const db = ctx.db.unscoped;
  const { id } = await requireOrganization(db, ctx);
  const connection = await connectionOf(db, id);
  return {
    data: {
      connection: connection
        ? {
            issuer: connection.issuer,
            client_id: connection.client_id,
            groups_claim: connection.groups_claim,
            updated_at: connection.updated_at.toISOString(),
          }
        : null,
      domains: (await domainsOf(db, id)).map(presentDomain),
      only: await describeOnly(ctx, db, id),
      scim: await describeScim(ctx, db, id),
      access: (await accessRules(db, id)).map(({ group_name: group, ...rule }) => ({
        group,
        ...rule,
      })),
      redirect_uri: ssoRedirectUri(ctx.settings, id),
      simulated_dns: ctx.gateways.dns.name === 'sandbox',
    },
  };
}

function presentDomain(row: DomainRow): Sso['domains'][number] {
  const isThere = row.proven_at !== null && row.missing_since === null;
  const record = ownershipRecord(row.domain, row.token);
  return {
    domain: row.domain,
    state: row.proven_at === null ? 'pending' : isThere ? 'proven' : 'missing',
    record: { ...record, found: isThere ? record.value : null, ok: isThere },
    ends_at: row.missing_since && endOfProof(row.missing_since).toISOString(),
    checked_at: row.checked_at?.toISOString() ?? null,
  };
}

/** When a domain whose record has been missing since a time stops being proven. */
export const endOfProof = (missingSince: Date): Date =>
  new Date(missingSince.getTime() + ssoDomainGraceHours * 3_600_000);

/** What is wrong with a provider, and what to do about it. */
function sentenceOf(problem: ProviderProblem, issuer: string): string {
  switch (problem.is) {
    case 'unreachable':
      return `${new URL(issuer).host} didn’t answer (${problem.reason.slice(0, 200)}). Check the address and try again.`;
    case 'private':
      return 'This address isn’t a web address on the public internet. Use one that can be reached from anywhere.';
    case 'not_openid':
      return `There is no OpenID discovery document at ${issuer.replace(/\/$/, '')}/.well-known/openid-configuration. Copy the issuer from your provider.`;
    case 'other_issuer':
      return `This provider calls itself ${problem.issuer.slice(0, 300)}. Enter exactly that.`;
    case 'no_code_flow':
      return 'This provider doesn’t offer the authorization code flow. Turn it on there.';
    case 'no_pkce':
      return 'This provider doesn’t support PKCE with S256. Turn it on there.';
    case 'no_keys':
      return 'This provider publishes no keys to check its tokens with. Check its settings.';
  }
}

/** Issuers of Microsoft's that speak for everyone's accounts, not for one organization. */
const isForEveryone = (issuer: string): boolean =>
  /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i.test(issuer);

/** Why people can't sign in with this provider, in a sentence; null: they can. */
async function problemOf(ctx: Ctx, issuer: string): Promise<string | null> {
  if (isForEveryone(issuer))
    return 'This issuer speaks for every Microsoft account. Use the one of your directory, with its tenant ID.';
  const problem = await ctx.gateways.ownProviders.check(issuer);
  if (problem?.is === 'unreachable')
    ctx.log.info({ issuer, ...problem }, 'a provider of single sign-on can’t be read');
  return problem && sentenceOf(problem, issuer);
}

/** Reads a provider's discovery document. */
export const testSso = async (
  ctx: Ctx,
  { issuer }: Body<typeof contract.testSso>,
): Promise<Answer<typeof contract.testSso>> => ({
  data: { problem: await problemOf(ctx, issuer) },
});

/**
 * Connects a provider, or changes it. An issuer that can't be used is refused with the reason. The
 * stored secret is kept for the issuer it belongs to only, so that no other one is sent it.
 */
export async function saveSso(
  ctx: Ctx,
  { issuer, client_id, client_secret, groups_claim }: Body<typeof contract.saveSso>,
): Promise<{ data: Sso }> {
  const problem = await problemOf(ctx, issuer);
  if (problem !== null) invalid({ issuer: problem });
  await changeOrganization(ctx, async (tx, organization) => {
    const before = await connectionOf(tx, organization.id);
    const kept = before?.issuer === issuer ? before.secret_sealed : null;
    const secret = client_secret ? seal(ctx.settings.appSecrets, client_secret) : kept;
    if (secret === null) return invalid({ client_secret: 'Enter the client secret.' });
    const values = {
      issuer,
      client_id,
      groups_claim: groups_claim ?? before?.groups_claim ?? 'groups',
    };
    // Of another provider no one knows yet that it lets people in.
    const isSame = before?.issuer === issuer && before.client_id === client_id;
    const isNoLongerOnly = !isSame && before?.required_at != null;
    await putConnection(tx, {
      organization_id: organization.id,
      ...values,
      used_at: isSame ? before.used_at : null,
      required_at: isSame ? before.required_at : null,
      secret_sealed: secret,
      updated_at: ctx.now,
    });
    const subject = `organization:${organization.id}`;
    const { secret_sealed: _, ...was } = before ?? { secret_sealed: null };
    await auditEverywhere(ctx, tx, before ? 'sso.changed' : 'sso.connected', subject, {
      ...(before && { before: was }),
      after: { ...values, has_new_secret: Boolean(client_secret) },
    });
    if (isNoLongerOnly) {
      await auditEverywhere(ctx, tx, 'sso.optional', subject);
      await followRequirement(tx, organization.id);
    }
    await mailAdministrators(ctx, tx, organization, {
      key: `sso:${organization.id}:connection:${ctx.now.getTime()}`,
      subject: `Single sign-on of ${organization.name} was ${before ? 'changed' : 'set up'}`,
      text: `${ctx.actor.name} connected ${organization.name} to the provider ${issuer}. It decides who signs in with an address at the organization’s domains. ${isNoLongerOnly ? 'People can sign in otherwise again, until someone has come in through it and you ask for it again. ' : ''}If you didn’t expect this, disconnect it:`,
    });
  });
  return getSso(ctx);
}

/** Disconnects the provider. Fails with `sso.not_set_up`. */
export const removeSso = (ctx: Ctx): Promise<void> =>
  changeOrganization(ctx, async (tx, organization) => {
    if (!(await deleteConnection(tx, organization.id))) fail('sso.not_set_up');
    await followRequirement(tx, organization.id);
    await auditEverywhere(ctx, tx, 'sso.disconnected', `organization:${organization.id}`);
    await mailAdministrators(ctx, tx, organization, {
      key: `sso:${organization.id}:disconnected:${ctx.now.getTime()}`,
      subject: `Single sign-on of ${organization.name} was disconnected`,
      text: `${ctx.actor.name} disconnected the provider of ${organization.name}. People sign in with their password again, and can set one at the sign-in page:`,
    });
  });
