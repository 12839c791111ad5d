const matchesAt = (bytes: Buffer, offset: number, text: string) =>
  bytes.subarray(offset, offset + text.length).toString('latin1') === text;

type DocumentKind = 'pdf' | 'tiff' | 'picture';
/**
 * Detects a document's type from its first bytes, because names can lie; null if it can't be faxed.
 */
export function detectDocumentKind(bytes: Buffer): DocumentKind | null {
  // Readers accept a few bytes before the header, and some programs write them.
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (matchesAt(bytes, 0, 'II*\0') || matchesAt(bytes, 0, 'MM\0*')) return 'tiff';
  if (
    matchesAt(bytes, 0, '\x89PNG\r\n\x1a\n') ||
    matchesAt(bytes, 0, 'GIF87a') ||
    matchesAt(bytes, 0, 'GIF89a')
  )
    return 'picture';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'picture';
  return matchesAt(bytes, 0, 'RIFF') && matchesAt(bytes, 8, 'WEBP') ? 'picture' : null;
}
