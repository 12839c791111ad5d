/** G.711: 8,000 samples a second, one byte each, with µ-law (PCMU) or A-law (PCMA). */

export type Law = 'PCMU' | 'PCMA';

/** A µ-law byte as a 16-bit sample. */
function ulaw(byte: number): number {
  const value = ~byte & 0xff;
  const magnitude = (((value & 0x0f) << 3) + 0x84) << ((value & 0x70) >> 4);
  return value & 0x80 ? 0x84 - magnitude : magnitude - 0x84;
}
/** An A-law byte as a 16-bit sample. */
function alaw(byte: number): number {
  const value = byte ^ 0x55;
  const segment = (value & 0x70) >> 4;
  const base = (value & 0x0f) << 4;
  const magnitude = segment === 0 ? base + 8 : (base + 0x108) << (segment - 1);
  return value & 0x80 ? magnitude : -magnitude;
}
const tables: Record<Law, Int16Array> = {
  PCMU: Int16Array.from({ length: 256 }, (_, byte) => ulaw(byte)),
  PCMA: Int16Array.from({ length: 256 }, (_, byte) => alaw(byte)),
};

/** The nearest byte for each 16-bit sample. */
const inverse: Record<Law, Uint8Array> = { PCMU: invert(tables.PCMU), PCMA: invert(tables.PCMA) };
function invert(table: Int16Array): Uint8Array {
  const ordered = [...table.entries()].sort((a, b) => a[1] - b[1]);
  const bytes = new Uint8Array(65_536);
  let at = 0;
  for (let value = -32_768; value < 32_768; value++) {
    while (
      at + 1 < ordered.length &&
      Math.abs((ordered[at + 1]?.[1] ?? 0) - value) <= Math.abs((ordered[at]?.[1] ?? 0) - value)
    )
      at++;
    bytes[value + 32_768] = ordered[at]?.[0] ?? 0;
  }
  return bytes;
}

/** G.711 bytes as 16-bit samples at 8 kHz. */
export function decode(law: Law, bytes: Uint8Array): Int16Array {
  const table = tables[law];
  return Int16Array.from(bytes, (byte) => table[byte] ?? 0);
}
/** 16-bit samples at 8 kHz as G.711 bytes. */
export function encode(law: Law, pcm: Int16Array): Uint8Array {
  const table = inverse[law];
  return Uint8Array.from(pcm, (value) => table[value + 32_768] ?? 0);
}
