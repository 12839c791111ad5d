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
    return matchesAt(bytes, 8, 'M4A')
      ? 'audio/mp4'
      : matchesAt(bytes, 8, 'hei') || matchesAt(bytes, 8, 'avif') || matchesAt(bytes, 8, 'mif1')
        ? null
        : 'video/mp4';
  if (matchesAt(bytes, 0, '%PDF-')) return 'application/pdf';
  if (/^BEGIN:VCARD\r?\n/i.test(bytes.subarray(0, 40).toString('latin1'))) return 'text/vcard';
  return null;
}
