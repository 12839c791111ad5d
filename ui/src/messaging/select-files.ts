import { mediaLimits } from '#contract/conversations/rules';
import { isTollFree } from '#contract/phone';
import { apiErrorText } from '#contract/errors';
import { formatBytes } from '../format.ts';
import { kinds } from './media.ts';

interface FileSelection {
  files: File[];
  problem: string | null;
}
/** The accepted files, and an error text about the rejected ones. */
export function selectFiles(
  had: readonly File[],
  more: readonly File[],
  ourNumber: string,
): FileSelection {
  const limit = isTollFree(ourNumber) ? mediaLimits.tollFreeBytes : mediaLimits.localBytes;
  const unknown = more.find((f) => !kinds.has(f.type) && !/\.vcf$/i.test(f.name));
  const known = more.filter((f) => f !== unknown && (kinds.has(f.type) || /\.vcf$/i.test(f.name)));
  const all = [...had, ...known];
  if (all.length > mediaLimits.files)
    return {
      files: all.slice(0, mediaLimits.files),
      problem: apiErrorText('message.media_too_many', { limit: mediaLimits.files }),
    };
  const fixed = all.filter((f) => !isCompressible(f)).reduce((sum, f) => sum + f.size, 0);
  if (fixed > limit)
    return {
      files: [...had],
      problem: apiErrorText('message.media_too_large', { limit: formatBytes(limit) }),
    };
  return {
    files: all,
    problem:
      unknown === undefined
        ? null
        : apiErrorText(isHeic(unknown) ? 'message.media_heic' : 'message.media_unknown', {
            name: unknown.name,
          }),
  };
}
const isHeic = (f: File): boolean => /^image\/hei[cf]/.test(f.type) || /\.hei[cf]$/i.test(f.name);
const isCompressible = (f: File): boolean => f.type.startsWith('image/') && f.type !== 'image/gif';
