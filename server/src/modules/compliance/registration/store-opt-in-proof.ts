import { proofFiles } from '#contract/compliance/registration/lists';
import type { Upload } from '../../../platform/routes.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import type { CampaignDetails } from './documents.ts';
import { proofKind } from './rules.ts';

const uploadField = /^supporting_files(?:_(\d{1,2}))?$/;

/**
 * Stores uploaded files with the opt-in they belong to (`supporting_files_0` is the first one):
 * PNG, JPEG or PDF by their bytes, 5 MB each, ten in all. Fails with a field error for any other
 * file.
 */
export async function storeOptInProof(
  ctx: TxCtx,
  details: CampaignDetails,
  files: readonly Upload[],
): Promise<CampaignDetails> {
  const uploads = files.flatMap((file) => {
    const match = uploadField.exec(file.field);
    return match ? [{ file, at: Number(match[1] ?? 0) }] : [];
  });
  if (!uploads.length) return details;
  const existingCount = details.optins.reduce((n, o) => n + o.files.length, 0);
  const optins = details.optins.map((o) => ({ ...o, files: [...o.files] }));
  for (const { file, at } of uploads) {
    const fieldPath = `campaign.optins.${at}.supporting_files`;
    const optin =
      optins[at] ??
      invalid({ 'campaign.optins': 'Choose an opt-in method first, then add the file to it.' });
    if (existingCount + uploads.length > proofFiles.most)
      invalid({ [fieldPath]: `At most ${proofFiles.most} files.` });
    if (file.size > proofFiles.bytes) invalid({ [fieldPath]: `${file.name} is larger than 5 MB.` });
    const bytes = await file.bytes();
    const mime =
      proofKind(bytes) ?? invalid({ [fieldPath]: `${file.name} isn’t a PNG, JPEG or PDF file.` });
    const stored = await ctx.files.save(
      ctx.tx,
      ctx.companyId,
      { name: file.name, contentType: mime, bytes, purpose: 'sms-verification' },
      ctx.now,
    );
    optin.files.push({ id: stored.id, name: stored.name, mime, size: stored.bytes });
  }
  return { ...details, optins };
}
