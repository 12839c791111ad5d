const matchesAt = (bytes: Buffer, offset: number, text: string) =>
  bytes.subarray(offset, offset + text.length).toString('latin1') === text;

/**
 * A file's content type by its first bytes, because names prove nothing; null for types that can't
 * be texted.
 */
export function detectMediaType(bytes: Buffer): string | null {
  if (bytes.length < 4) return null;
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (matchesAt(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (matchesAt(bytes, 0, 'GIF87a') || matchesAt(bytes, 0, 'GIF89a')) return 'image/gif';
  if (matchesAt(bytes, 0, 'RIFF') && matchesAt(bytes, 8, 'WEBP')) return 'image/webp';
  if (matchesAt(bytes, 0, 'RIFF') && matchesAt(bytes, 8, 'WAVE')) return 'audio/wav';
  if (matchesAt(bytes, 0, 'ID3') || (bytes.readUInt16BE(0) & 0xffe6) === 0xffe2)
    return 'audio/mpeg';
  if (matchesAt(bytes, 0, 'OggS')) return 'audio/ogg';
  if (matchesAt(bytes, 4, 'ftyp'))
    return matchesAt(bytes, 8, 'M4A') ? 'audio/mp4' : pictureToConvert(bytes) ? null : 'video/mp4';
  if (matchesAt(bytes, 0, '%PDF-')) return 'application/pdf';
  if (/^BEGIN:VCARD\r?\n/i.test(bytes.subarray(0, 40).toString('latin1'))) return 'text/vcard';
  return null;
}

/**
 * The type of a picture that no phone shows, but that is sent as JPEG: AVIF and TIFF. `heic`: iPhones'
 * own, which can't be decoded here. Null: neither.
 */
export function pictureToConvert(bytes: Buffer): 'image/avif' | 'image/tiff' | 'heic' | null {
  if (bytes.length < 12) return null;
  if (matchesAt(bytes, 0, 'II*\0') || matchesAt(bytes, 0, 'MM\0*')) return 'image/tiff';
  if (matchesAt(bytes, 0, 'II+\0') || matchesAt(bytes, 0, 'MM\0+')) return 'image/tiff';
  if (!matchesAt(bytes, 4, 'ftyp')) return null;
  // The kinds that the file says it has: the first, then, after a version, all compatible ones.
  const brands = bytes.subarray(8, Math.min(bytes.readUInt32BE(0), 256)).toString('latin1');
  if (/avi[fs]/.test(brands)) return 'image/avif';
  return /hei[cxmsv]|hev[cmx]|m[is]f1/.test(brands) ? 'heic' : null;
}
