import type { Answer, Body, branding as contract } from '#contract';
import { companyChanged } from '#contract/companies/events';
import { contrastWarnings } from '#contract/settings/tenant/rules';
import { audit } from '../../../platform/audit.ts';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import type { Http, Upload } from '../../../platform/routes.ts';
import { randomToken } from '../../../platform/secrets.ts';
import { companyRow, organizationWithCompanies, setCompanyBrand } from '../../companies/index.ts';
import { publishTenantChanged } from '../tenant/organization.ts';
import { tenantOf, upsertTenant } from '../tenant/store.ts';
import { drawPicture, type PictureKind } from './draw-picture.ts';
import { deletePicture, insertPicture, pictureBy, type BrandOwner } from './store.ts';

// The system role: a brand is read before anyone signs in, and an organization's is above companies.

type Said = Body<typeof contract.setCompanyBranding>;
type Branding = Answer<typeof contract.setCompanyBranding>['data'];
/** By field; null: taken away. */
type Changes = Partial<Record<keyof Omit<Branding, 'contrast_warnings'>, string | null>>;

const MAX_BYTES = 1_000_000;
const kinds: readonly PictureKind[] = ['logo', 'logo_dark', 'favicon'];
const fields = [...kinds, 'primary_color', 'secondary_color'] as const;

/** Sets the look of the request's company. Fails with `branding.file_large` or `.not_a_picture`. */
export async function setCompanyBranding(ctx: Ctx, said: Said, { files }: Http) {
  const drawn = await drawAll(files);
  const data = await ctx.db.systemTransaction(async (tx) => {
    const owner = { company_id: ctx.companyId, organization_id: null };
    const company = (await companyRow(tx, ctx.companyId)) ?? notFound();
    const before = (company.branding ?? {}) as Changes;
    const changes = await changesOf(ctx, tx, owner, said, drawn);
    const after = { ...before, ...changes };
    await setCompanyBrand(tx, ctx.companyId, after, ctx.now);
    await record(ctx, tx, `company:${ctx.companyId}`, before, changes);
    const { companyId } = ctx;
    await publishIn(tx, companyChanged, { companyId }, { companyId });
    return present(after);
  });
  return { data };
}

/** Sets the look of the request's organization; fails likewise. */
export async function setOrganizationBranding(ctx: Ctx, said: Said, { files }: Http) {
  const { organizationId = 0 } = ctx;
  const drawn = await drawAll(files);
  const data = await ctx.db.systemTransaction(async (tx) => {
    const organization = (await organizationWithCompanies(tx, organizationId)) ?? notFound();
    const owner = { company_id: null, organization_id: organizationId };
    const before = ((await tenantOf(tx, organizationId)) ?? {}) as Changes;
    const changes = await changesOf(ctx, tx, owner, said, drawn);
    const after = await upsertTenant(tx, organizationId, changes, ctx.now);
    for (const companyId of organization.companyIds)
      await record(
        ctx.actingIn(companyId, ctx.roles),
        tx,
        `organization:${organizationId}`,
        before,
        changes,
      );
    await publishTenantChanged(tx, organization);
    return present(after);
  });
  return { data };
}

/** Draws what was uploaded, before any transaction. */
async function drawAll(files: readonly Upload[]): Promise<Map<PictureKind, Buffer>> {
  const drawn = new Map<PictureKind, Buffer>();
  for (const file of files) {
    const kind = kinds.find((one) => one === file.field);
    const name = file.name.slice(0, 80);
    if (!kind) fail('branding.not_a_picture', { name });
    if (file.size > MAX_BYTES) fail('branding.file_large', { name });
    const picture = await drawPicture(await file.bytes(), kind);
    drawn.set(kind, picture ?? fail('branding.not_a_picture', { name }));
  }
  return drawn;
}

async function changesOf(
  ctx: Ctx,
  tx: Tx,
  owner: BrandOwner,
  said: Said,
  drawn: ReadonlyMap<PictureKind, Buffer>,
): Promise<Changes> {
  const changes: Changes = {};
  for (const name of ['primary_color', 'secondary_color'] as const)
    if (said[name] !== undefined) changes[name] = said[name] || null;
  for (const kind of kinds) {
    const bytes = drawn.get(kind);
    if (!bytes && !said.remove?.includes(kind)) continue;
    await deletePicture(tx, owner, kind);
    if (!bytes) changes[kind] = null;
    else {
      // Another address, so that no copy of the old picture is shown.
      const token = randomToken('brand');
      await insertPicture(tx, { ...owner, token, kind, bytes, created_at: ctx.now });
      changes[kind] = `/api/branding/${token}`;
    }
  }
  return changes;
}

const record = (ctx: Ctx, tx: Tx, subject: string, before: Changes, changes: Changes) =>
  audit({ ...ctx, tx }, 'branding.updated', subject, {
    before: Object.fromEntries(
      Object.keys(changes).map((key) => [key, before[key as keyof Changes] ?? null]),
    ),
    after: changes,
  });

function present(from: Changes): Branding {
  const [logo, logo_dark, favicon, primary_color, secondary_color] = fields.map(
    (name) => from[name] ?? null,
  );
  const colors = { primary_color: primary_color ?? null, secondary_color: secondary_color ?? null };
  return {
    logo: logo ?? null,
    logo_dark: logo_dark ?? null,
    favicon: favicon ?? null,
    ...colors,
    contrast_warnings: contrastWarnings(colors),
  };
}

/** Sends a picture; it never changes under its address. */
export async function sendPicture(ctx: Ctx, token: string, { reply }: Http): Promise<void> {
  const { bytes } = (await pictureBy(ctx.db.unscoped, token)) ?? notFound();
  await reply
    .header('content-type', 'image/png')
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('x-content-type-options', 'nosniff')
    // Mail programs on the web show it on pages of their own.
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(bytes);
}
