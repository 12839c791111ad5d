/**
 * What may be attached (A10), checked before the upload. The server shrinks pictures; other files
 * must fit as they are.
 */
export const kinds = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
  'audio/mpeg',
  'audio/mp3',
  'audio/wav',
  'audio/x-wav',
  'audio/wave',
  'video/mp4',
  'application/pdf',
  'text/vcard',
  'text/x-vcard',
  'text/directory',
  'text/plain',
]);
export const acceptedFiles = [...kinds, '.vcf', '.jpg', '.mp3', '.wav'].join(',');
