import { proofFiles } from '#contract/registration-lists';
import type { Upload } from '../../../platform/answer.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/refuse.ts';
import type { CampaignDetails } from './papers.ts';
import { proofKind } from './rules.ts';

const field = /^supporting_files(?:_(\d{1,2}))?$/;

/** Keep what was uploaded with the opt-in it belongs to (`supporting_files_0`): PNG, JPEG or PDF by its bytes, 5 MB each, ten in all. */
export async function keepProof(
  ctx: TxCtx,
  details: CampaignDetails,
  files: readonly Upload[],
): Promise<CampaignDetails> {
  const uploads = files.flatMap((file) => {
    const match = field.exec(file.field);
    return match ? [{ file, at: Number(match[1] ?? 0) }] : [];
  });
  if (!uploads.length) return details;
  const there = details.optins.reduce((n, o) => n + o.files.length, 0);
  const optins = details.optins.map((o) => ({ ...o, files: [...o.files] }));
  for (const { file, at } of uploads) {
    const where = `campaign.optins.${at}.supporting_files`;
    const optin =
      optins[at] ??
      invalid({ 'campaign.optins': 'Say first how people agree, then add the file to it.' });
    if (there + uploads.length > proofFiles.most)
      invalid({ [where]: `At most ${proofFiles.most} files.` });
    if (file.size > proofFiles.bytes) invalid({ [where]: `${file.name} is larger than 5 MB.` });
    const bytes = await file.bytes();
    const mime =
      proofKind(bytes) ?? invalid({ [where]: `${file.name} is not a PNG, JPEG or PDF file.` });
    const kept = await ctx.files.keep(
      ctx.tx,
      ctx.companyId,
      { name: file.name, contentType: mime, bytes, purpose: 'sms-verification' },
      ctx.now,
    );
    optin.files.push({ id: kept.id, name: kept.name, mime, size: kept.bytes });
  }
  return { ...details, optins };
}
