import { formatBytes, t, type Tone } from '#ui';

/** Mirrors the contract's FaxState; the browser does not load the contract's schemas. */
type FaxState =
  | 'queued'
  | 'sending'
  | 'sent'
  | 'delivered'
  | 'failed'
  | 'unknown'
  | 'receiving'
  | 'received';
const stateLabels: Record<FaxState, { word: string; tone: Tone }> = {
  queued: { word: 'Waiting to send', tone: 'neutral' },
  sending: { word: 'Sending', tone: 'info' },
  sent: { word: 'Sent', tone: 'neutral' },
  delivered: { word: 'Delivered', tone: 'success' },
  failed: { word: 'Failed', tone: 'danger' },
  unknown: { word: 'Unconfirmed', tone: 'warn' },
  receiving: { word: 'Receiving pages', tone: 'info' },
  received: { word: 'Received', tone: 'success' },
};
/** Label and tone of a fax state; an unknown one is shown neutrally, never as delivered. */
export const faxStateLabel = (state: string): { word: string; tone: Tone } => {
  const w = stateLabels[state as FaxState] ?? stateLabels.unknown;
  return { ...w, word: t(w.word) };
};
/** A number of pages in words. */
export const pageCountLabel = (pages: number): string =>
  t('{pages, plural, one {# page} other {# pages}}', { pages });

/** What the server accepts (contract/src/fax/rules.ts), checked before the upload. */
export const acceptedDocuments =
  'application/pdf,image/tiff,image/png,image/jpeg,image/gif,image/webp,.pdf,.tif,.tiff';
const faxLimits = { files: 10, bytes: 15_000_000 };
/** Adds documents that can be faxed; `problem` is an error text about the others, or null. */
export function selectDocuments(
  had: readonly File[],
  more: readonly File[],
): { files: File[]; problem: string | null } {
  const odd = more.find(
    (f) =>
      !/^(application\/pdf|image\/(tiff|png|jpeg|gif|webp))$/.test(f.type) &&
      !/\.(pdf|tiff?)$/i.test(f.name),
  );
  const files = [...had, ...more.filter((f) => f !== odd)];
  if (files.length > faxLimits.files)
    return {
      files: files.slice(0, faxLimits.files),
      problem: t(
        '{n, plural, one {A fax can have up to # document.} other {A fax can have up to # documents.}}',
        { n: faxLimits.files },
      ),
    };
  if (files.reduce((sum, f) => sum + f.size, 0) > faxLimits.bytes)
    return {
      files: [...had],
      problem: t('These documents are too large to fax. The limit is {limit}.', {
        limit: formatBytes(faxLimits.bytes),
      }),
    };
  return {
    files,
    problem: odd ? t('{name} can’t be faxed. Use a PDF, TIFF or image.', { name: odd.name }) : null,
  };
}
