/** What may be sent along (A10), judged before anything is uploaded. Pictures are made smaller by the server; the rest must fit as it is. */
export const kinds = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
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
