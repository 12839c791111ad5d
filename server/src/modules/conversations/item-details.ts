import type { ItemKind } from '#contract/conversations/rules';
import type { MatchedSource } from '#contract/tracking/match-schemas';
import type { TxCtx } from '../../platform/context.ts';
import type { ItemRow } from './store.ts';

/**
 * A file in an item's details as stored: an ID of ours, or the URL it must still be fetched from.
 */
export interface StoredMedia {
  fileId: number | null;
  type: string;
  bytes: number;
  name: string;
  from?: string;
}

type Details = Record<string, unknown>;

/** Where a call or text came from, as its item keeps it; null: not to a tracking number. */
export const matchedFacts = (source: MatchedSource | null) => ({
  source: source?.label ?? null,
  sourceKey: source?.key ?? null,
  medium: source?.medium ?? null,
  campaign: source?.campaign ?? null,
  keyword: source?.keyword ?? null,
  landingUrl: source?.landingUrl ?? null,
});

/** Stored file IDs become signed URLs. */
export function presentDetails(
  ctx: TxCtx,
  item: Pick<ItemRow, 'id' | 'kind' | 'details' | 'delivery_state'>,
): Details {
  const stored = item.details as Details;
  const url = (fileId: unknown) =>
    typeof fileId === 'number' ? ctx.files.signUrl(ctx.companyId, fileId, ctx.now) : null;
  switch (item.kind as ItemKind) {
    case 'message':
      return messageDetails(stored, item.delivery_state, presentMedia(stored, url));
    case 'scheduledmessage':
      return scheduledDetails(stored, presentMedia(stored, url));
    case 'call': {
      const { recordingFileId, ...rest } = stored;
      return {
        ...matchedFacts(null),
        recordingSeconds: null,
        ...rest,
        recordingUrl: url(recordingFileId),
      };
    }
    case 'voicemail': {
      const { fileId, ...rest } = stored;
      return { ...matchedFacts(null), ...rest, url: url(fileId) };
    }
    case 'fax': {
      const { fileId, previewFileId, ...rest } = stored;
      return {
        faxId: item.id,
        name: '',
        errorCode: null,
        errorText: null,
        ...rest,
        url: url(fileId),
        preview: url(previewFileId),
      };
    }
    default:
      return stored;
  }
}

/** The files of a text. A file that is not fetched yet has an empty URL. */
const presentMedia = (stored: Details, url: (fileId: unknown) => string | null) =>
  ((stored['media'] ?? []) as StoredMedia[]).map((file) => ({
    url: url(file.fileId) ?? '',
    type: file.type,
    bytes: file.bytes,
    name: file.name,
  }));

const messageDetails = (
  stored: Details,
  deliveryState: string | null,
  media: ReturnType<typeof presentMedia>,
): Details => ({
  content: stored['content'],
  deliveryState: deliveryState ?? 'unknown',
  errorCode: stored['errorCode'] ?? null,
  errorText: stored['errorText'] ?? null,
  media,
  segments: stored['segments'],
  encoding: stored['encoding'],
  type: media.length ? 'media' : 'message',
  clientKey: stored['clientKey'] ?? null,
  automatic: stored['automatic'] ?? null,
});

const scheduledDetails = (stored: Details, media: ReturnType<typeof presentMedia>): Details => ({
  content: stored['content'],
  media,
  segments: stored['segments'],
  encoding: stored['encoding'],
  sendAt: stored['sendAt'],
  state: stored['state'],
  cancelIfReply: stored['cancelIfReply'] ?? false,
  because: stored['because'] ?? null,
  clientKey: stored['clientKey'] ?? null,
});
