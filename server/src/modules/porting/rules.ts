import { areaCodeOf, isTollFree, porting as contract } from '#contract';
import { areaCodes } from '#contract/area-codes';

/** A number's type by its digits (B §3): 1 local, 2 toll-free, 3 Canadian. */
export function portTypeOf(number: string): 1 | 2 | 3 {
  if (isTollFree(number)) return 2;
  return areaCodes().get(areaCodeOf(number) ?? '')?.country === 'CA' ? 3 : 1;
}
/**
 * Whether numbers have different types. Types are ported by different procedures, so a request
 * holds only one.
 */
export const areTypesMixed = (numbers: readonly string[]): boolean =>
  new Set(numbers.map(portTypeOf)).size > 1;

/** An address with every field, empty where nothing was given. */
export const addressOf = (a: Partial<contract.PortAddress>): contract.PortAddress => ({
  line1: '',
  line2: '',
  city: '',
  state: '',
  zip: '',
  country: 'US',
  ...a,
});

/** The calendar day in a time zone, as YYYY-MM-DD. */
export const localDay = (zone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at);

/**
 * Detects a document's content type from its first bytes, because names can lie; null unless PDF,
 * JPEG or PNG.
 */
export function detectDocumentType(
  bytes: Buffer,
): 'application/pdf' | 'image/jpeg' | 'image/png' | null {
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return 'application/pdf';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n') return 'image/png';
  return null;
}

/** What a status means, in a sentence for e-mails and the history. */
export function statusSentence(
  status: contract.PortStatus,
  facts: { focDate?: string | null; wanted?: readonly string[]; text?: string | undefined } = {},
): string {
  switch (status) {
    case 'pending':
      return 'The request is a draft.';
    case 'submitted':
      return 'The request was submitted to the carrier.';
    case 'documentsRequested':
      return `The carrier requires ${(facts.wanted ?? []).map((kind) => documentLabels[kind as contract.PortDocumentKind]).join(' and ') || 'more documents'}.`;
    case 'inProgress':
      return 'The current carrier is reviewing the request.';
    case 'firmOrderScheduled':
      return facts.focDate
        ? `Both carriers agreed: the numbers will be ported on ${facts.focDate}.`
        : 'Both carriers agreed on the date.';
    case 'completed':
      return 'The numbers are now yours, and calls and texts arrive here.';
    case 'rejected':
      return `The carrier rejected the request${facts.text ? `: ${facts.text}` : '.'}`;
    case 'canceled':
      return 'The request was canceled. The numbers stay at their carrier.';
  }
}
export const documentLabels: Readonly<Record<contract.PortDocumentKind, string>> = {
  bill: 'a recent bill',
  loa: 'a signed letter of authorization',
  csr: 'a customer service record',
  id: 'proof of identity',
  other: 'another document',
};
